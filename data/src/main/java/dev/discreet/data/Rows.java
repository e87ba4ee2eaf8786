package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;

/**
 * What a file or a generator gives: examples, the unit of each and what decides on which side of a
 * split that unit falls.
 *
 * @param unitOf the number of each example's privacy unit, from 0 without gaps; null where every
 *     example is a unit of its own
 * @param fingerprints 64 bits of each example's unit, a fixed function of what the unit is (its
 *     declared identity, or else the example's own contents) and of nothing around it: an index
 *     would move when another row comes or goes. Equal within a unit.
 */
public record Rows(Examples examples, Task task, int[] unitOf, long[] fingerprints) {
  public Rows {
    Check.that(
        fingerprints.length == examples.size()
            && (unitOf == null || unitOf.length == examples.size()),
        "units and fingerprints",
        "given for each of " + examples.size() + " examples",
        fingerprints.length);
  }
}
