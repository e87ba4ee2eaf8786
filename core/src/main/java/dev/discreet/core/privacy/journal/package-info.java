/**
 * Where a session records what it spends, before anything is released: a file that only grows and
 * that survives a crash. And what such a file has cost so far.
 */
package dev.discreet.core.privacy.journal;
