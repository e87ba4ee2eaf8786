/**
 * Public data sets that have a name: what is known of them, where copies are, and how a copy is
 * fetched and checked. Nothing private enters: every file here is the same for everyone, and its
 * SHA-256 says so.
 */
package dev.discreet.data.named;
