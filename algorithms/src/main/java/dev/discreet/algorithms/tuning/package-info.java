/**
 * A search over settings that is paid for: runs that are repeated a secret, random number of times
 * and of which only the best is ever seen, or a grid whose runs are all paid for.
 *
 * <p>What a run is stays open here. It must put all that it releases, its score too, on its own
 * ledger, and nothing of a run that lost may leave this package.
 */
package dev.discreet.algorithms.tuning;
