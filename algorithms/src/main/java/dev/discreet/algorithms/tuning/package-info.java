/**
 * A search over settings that is paid for. Either runs are repeated a secret, random number of
 * times and only the best is ever seen, or all runs of a grid are paid for.
 *
 * <p>This package does not know what a run is. A run must put everything that it releases,
 * including its score, on its own ledger. Nothing of a losing run may leave this package.
 */
package dev.discreet.algorithms.tuning;
