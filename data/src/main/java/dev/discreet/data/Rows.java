package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import java.io.IOException;

/**
 * What a file or a generator gives: examples, the unit of each and what decides on which side of a
 * split that unit falls.
 *
 * @param examples one for each row; that of a row that does not fit has zeros and no target (NaN)
 * @param unitOf the number of each row's privacy unit, from 0 without gaps, or −1 for a misfit that
 *     says of no one; null where every row is a unit of its own
 * @param fingerprints 64 bits of each row's unit, a fixed function of what the unit is (its
 *     declared identity, or else the row's own contents) and of nothing around it: an index would
 *     move when another row comes or goes. Equal within a unit.
 * @param misfits the rows that do not fit what was declared
 */
public record Rows(
    Examples examples, Task task, int[] unitOf, long[] fingerprints, Misfits misfits) {
  public Rows {
    Check.that(
        fingerprints.length == examples.size()
            && misfits.of() == examples.size()
            && (unitOf == null || unitOf.length == examples.size()),
        "units, fingerprints and misfits",
        "given for each of " + examples.size() + " examples",
        fingerprints.length);
  }

  /** Rows that all fit. */
  public Rows(Examples examples, Task task, int[] unitOf, long[] fingerprints) {
    this(examples, task, unitOf, fingerprints, Misfits.none(examples.size()));
  }

  /** These, refused where one does not fit: public rows have no secret to keep by it. */
  public Rows fitting() throws IOException {
    if (misfits.count() > 0) {
      throw new IOException(misfits.first().get(0));
    }
    return this;
  }
}
