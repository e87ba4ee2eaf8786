package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.PairBounds;

/** The pairs of mechanisms, for tests of the packages below. */
public final class MechanismPairs {
  private MechanismPairs() {}

  public static PairBounds of(Mechanism mechanism, Neighbouring relation) {
    return DominatingPairs.of(mechanism, relation);
  }
}
