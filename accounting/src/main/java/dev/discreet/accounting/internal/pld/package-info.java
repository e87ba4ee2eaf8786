/**
 * Composition of privacy loss distributions with both ends certified.
 *
 * <p>The upper end replaces each loss distribution by one on a grid that dominates it
 * (connect-the-dots, Doroshenko et al. 2022). The lower end is the better of an optimistic twin of
 * that grid and a test that an attacker could really run: round each loss to the grid, add, compare
 * with a threshold. All are composed by FFT after an exponential tilt that brings the rare event in
 * question to the middle of the distribution, where floating point is precise.
 */
package dev.discreet.accounting.internal.pld;
