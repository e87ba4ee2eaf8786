package dev.discreet.accounting.internal.pld;

import dev.discreet.accounting.internal.pairs.LossPair;

/**
 * {@code count} independent releases in one direction of the relation.
 *
 * @param upper dominates the release
 * @param attained is dominated by it; null where nothing is known
 */
public record RepeatedRelease(LossPair upper, LossPair attained, long count) {

  public RepeatedRelease reversed() {
    return new RepeatedRelease(
        upper.reversed(), attained == null ? null : attained.reversed(), count);
  }

  public boolean symmetric() {
    return upper.symmetric() && (attained == null || attained.symmetric());
  }
}
