/**
 * Random numbers from secret key streams: exact draws and normal numbers. Nothing here knows data
 * or what a draw is for; only the privacy session adds any of them to a value.
 */
package dev.discreet.core.privacy.draws;
