package dev.discreet.core.privacy;

/** A die of any number of sides, and the only chance that {@link ExactDraws} knows. */
interface Dice {
  /** Each of 0, …, bound − 1 with the same probability; the bound is in [1, 2^62]. */
  long below(long bound);

  /** True with probability part/all. */
  default boolean chance(long part, long all) {
    return below(all) < part;
  }
}
