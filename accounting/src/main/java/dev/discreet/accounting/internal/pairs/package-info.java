/**
 * Dominating pairs: two distributions (P, Q) that are at least as easy to tell apart as any two
 * neighbouring outputs, seen through their privacy loss L = log dP/dQ.
 *
 * <p>Only distributions of losses live here; they know nothing of mechanisms and ledgers, and
 * composing them is the work of {@link dev.discreet.accounting.internal.pld}.
 */
package dev.discreet.accounting.internal.pairs;
