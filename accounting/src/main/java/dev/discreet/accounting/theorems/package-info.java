/**
 * Composition theorems as formulas of (ε, δ), to compare with published figures. Accountants of
 * ledgers are in {@link dev.discreet.accounting}.
 */
package dev.discreet.accounting.theorems;
