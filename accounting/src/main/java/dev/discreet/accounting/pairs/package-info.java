/**
 * Dominating pairs: for each mechanism and relation, two distributions (P, Q) that are at least as
 * easy to tell apart as any two neighbouring outputs, seen through their privacy loss L = log
 * dP/dQ.
 *
 * <p>Only distributions of losses live here; composing them is the work of {@code pld}.
 */
package dev.discreet.accounting.pairs;
