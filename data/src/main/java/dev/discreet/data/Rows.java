package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.model.Task;
import dev.discreet.core.privacy.Units;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What a file or a generator gives: examples, the unit of each and what decides on which side of a
 * split that unit falls.
 *
 * @param examples one for each row; that of a row that does not fit has zeros and no target (NaN)
 * @param unitOf the number of each row's privacy unit, from 0 without gaps, or −1 for a misfit that
 *     does not say whose it is; null where every row is a unit of its own
 * @param fingerprints 64 bits of each row's unit, a fixed function of what the unit is (its
 *     declared identity, or else the row's own contents) and of nothing around it: an index would
 *     move when another row comes or goes. Equal within a unit.
 * @param misfits the rows that do not fit what was declared
 */
public record Rows(Examples examples, Task task, int[] unitOf, long[] fingerprints, Misfits misfits)
    implements LocalData {
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

  /**
   * These rows if all of them fit, else an error: public rows have no secret that it could tell.
   */
  public Rows fitting() throws IOException {
    if (misfits.count() > 0) {
      throw new IOException(misfits.first().get(0));
    }
    return this;
  }

  @Override
  public boolean rowsAreUnits() {
    return unitOf == null;
  }

  /** The units of all rows; a row that does not fit is no one's example. */
  @Override
  public Units units() {
    int[] all = IntStream.range(0, examples.size()).toArray();
    return units(all, fitting(all));
  }

  /** Those among some rows that fit. */
  int[] fitting(int[] index) {
    return IntStream.of(index).filter(i -> !misfits.isMisfit(i)).toArray();
  }

  /**
   * The units that some rows are of, numbered anew. A row that does not fit is no example, and its
   * unit is there all the same, with its other rows or with none.
   *
   * @param numbers the number that each row that fits has as an example
   */
  Units units(int[] index, int[] numbers) {
    int[] fitting = fitting(index);
    if (unitOf == null && fitting.length == index.length) {
      return Units.each(index.length);
    }
    int[] owner = unitOf != null ? unitOf : IntStream.range(0, examples.size()).toArray();
    int[] number = new int[Arrays.stream(owner).max().orElse(-1) + 1];
    IntStream.of(index).map(i -> owner[i]).filter(unit -> unit >= 0).forEach(u -> number[u] = 1);
    int count = 0;
    for (int unit = 0; unit < number.length; unit++) {
      number[unit] = number[unit] > 0 ? count++ : -1;
    }
    int[] sizes = new int[count];
    for (int i : fitting) {
      sizes[number[owner[i]]]++;
    }
    int[][] owned = new int[count][];
    Arrays.setAll(owned, unit -> new int[sizes[unit]]);
    int[] filled = new int[count];
    for (int i = 0; i < fitting.length; i++) {
      int unit = number[owner[fitting[i]]];
      owned[unit][filled[unit]++] = numbers[i];
    }
    return Units.of(IntStream.range(0, count).asLongStream().toArray(), owned);
  }
}
