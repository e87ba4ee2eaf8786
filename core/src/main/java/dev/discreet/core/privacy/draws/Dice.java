package dev.discreet.core.privacy.draws;

/**
 * A die of any number of sides: chances that are exact, from integers alone. {@link
 * Randomness#dice} has those whose throws are secret.
 */
public interface Dice {
  /** Each of 0, …, bound − 1 with the same probability; the bound is in [1, 2^62]. */
  long below(long bound);

  /** True with probability part/all. */
  default boolean chance(long part, long all) {
    return below(all) < part;
  }
}
