package dev.discreet.noroom.circle.here;

import dev.discreet.noroom.circle.there.There;

/** Half of a circle, which a rule must notice. */
public final class Here {
  There there;
}
