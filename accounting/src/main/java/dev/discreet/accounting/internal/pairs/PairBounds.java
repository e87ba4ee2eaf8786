package dev.discreet.accounting.internal.pairs;

/**
 * What is known of one release between neighbours: a pair that bounds it from above, and a pair
 * that some neighbouring data really produce.
 *
 * @param upper dominates every pair of neighbouring outputs; null where no bound is known
 * @param attained is dominated by some pair of neighbouring outputs; null where none is known
 * @param reason why there is no upper pair; empty where there is one
 */
public record PairBounds(LossPair upper, LossPair attained, String reason) {

  /** Of a release that says nothing about a unit. */
  public static final PairBounds FREE = new PairBounds(null, null, "");

  /** Of a release whose worst case is known. */
  public static PairBounds exactly(LossPair both) {
    return new PairBounds(both, both, "");
  }

  /** Of a release for which there is no bound. */
  public static PairBounds unbounded(String reason) {
    return new PairBounds(null, null, reason);
  }

  /** Whether the release says nothing about a unit, so that no upper pair is needed. */
  public boolean free() {
    return upper == null && reason.isEmpty();
  }

  public boolean bounded() {
    return reason.isEmpty();
  }
}
