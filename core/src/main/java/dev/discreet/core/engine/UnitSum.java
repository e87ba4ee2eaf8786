package dev.discreet.core.engine;

import dev.discreet.core.privacy.Units;
import java.io.Serializable;

/**
 * A sum over units in whole numbers, which is computed where the rows are: data that lies in parts
 * asks for the sums over each part and adds those up.
 *
 * <p>What a unit adds follows from that unit's own examples alone. Sums are exact, so no order of
 * adding matters: the sums over parts of the units, added up, are the sums over all of them, and a
 * unit more or less moves them by just what that unit adds.
 */
public interface UnitSum extends Serializable {

  /** The sums over these units, each with all of its examples. */
  long[] over(Examples examples, Units units);
}
