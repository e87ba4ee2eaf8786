package dev.discreet.core.privacy.draws;

/**
 * A die with any number of sides. Its chances are exact, computed from integers alone. {@link
 * Randomness#dice} gives dice whose throws are secret.
 */
public interface Dice {
  /** Each of 0, …, bound − 1 with the same probability; the bound is in [1, 2^62]. */
  long below(long bound);

  /** True with probability part/all. */
  default boolean chance(long part, long all) {
    return below(all) < part;
  }
}
