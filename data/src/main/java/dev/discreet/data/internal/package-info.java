/**
 * Files as bytes: packed and archived ones, what is said of damaged ones, and the fingerprint of a
 * unit. Nothing here knows what the bytes mean.
 */
package dev.discreet.data.internal;
