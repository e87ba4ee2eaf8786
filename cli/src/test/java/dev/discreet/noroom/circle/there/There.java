package dev.discreet.noroom.circle.there;

import dev.discreet.noroom.circle.here.Here;

/** The other half of a circle. */
public final class There {
  Here here;
}
