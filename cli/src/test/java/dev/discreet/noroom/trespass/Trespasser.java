package dev.discreet.noroom.trespass;

import dev.discreet.accounting.internal.pairs.LossPair;

/** Uses what is internal to another room, which a rule must notice. */
public final class Trespasser {
  LossPair pair;
}
