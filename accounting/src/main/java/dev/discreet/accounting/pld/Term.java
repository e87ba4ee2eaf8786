package dev.discreet.accounting.pld;

import dev.discreet.accounting.pairs.LossPair;

/**
 * {@code count} independent releases in one direction of the relation.
 *
 * @param upper dominates the release
 * @param attained is dominated by it; null where nothing is known
 */
public record Term(LossPair upper, LossPair attained, long count) {

  public Term reversed() {
    return new Term(upper.reversed(), attained == null ? null : attained.reversed(), count);
  }

  public boolean symmetric() {
    return upper.symmetric() && (attained == null || attained.symmetric());
  }
}
