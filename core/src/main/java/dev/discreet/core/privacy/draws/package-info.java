/**
 * Random numbers from secret key streams: exact draws and normal numbers. Nothing here knows the
 * data or what a draw is for. Only the privacy session adds such numbers to a value.
 */
package dev.discreet.core.privacy.draws;
