/**
 * Questions that are asked in each cell of a cross-table at once: counts, sums, means, variances,
 * ratios, quantiles. A unit is in at most a declared number of cells, and each answer is one
 * release over all cells. Which cells there are is declared, or was selected at a charge, before
 * rows are sorted into them.
 */
package dev.discreet.algorithms.cells;
