/**
 * Where a session records what it has spent, before anything is released: a file that only grows
 * and that survives a crash.
 */
package dev.discreet.core.privacy.journal;
