/**
 * Plain questions about one column: count, sum, mean, histogram, quantile. Each is one release on a
 * session's ledger, by Laplace or Gaussian noise or, for quantiles, by the exponential mechanism.
 * Bounds, bins and candidates are declared and never taken from the data.
 */
package dev.discreet.algorithms.query;
