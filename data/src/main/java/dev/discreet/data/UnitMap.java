package dev.discreet.data;

import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A table beside the data that says whose each row is, for images and arrays, which have no column
 * for it. It must have every row exactly once; a row that it gives to no one counts as zero.
 */
final class UnitMap {
  private static final List<String> COLUMNS = List.of("row", "unit");

  private UnitMap() {}

  /**
   * The rows with the units of the table.
   *
   * @param path a table with the columns {@code row}, an example's number from 0 in the order of
   *     the data, and {@code unit}
   */
  static Rows of(Path path, Rows rows) throws IOException {
    int size = rows.examples().size();
    int[] unitOf = new int[size];
    Arrays.fill(unitOf, -1);
    long[] fingerprints = rows.fingerprints().clone();
    BitSet unowned = new BitSet();
    Map<String, Integer> numbers = new HashMap<>();
    String[] wrong = new String[1];
    DataFormats.table(path)
        .readCells(
            path,
            DataOptions.none(),
            COLUMNS,
            cells -> {
              int row = row(cells.get(0), size);
              String unit = cells.get(1);
              if (wrong[0] != null) {
                return;
              } else if (row < 0) {
                wrong[0] = "row must be a whole number from 0, below the number of examples";
              } else if (unitOf[row] >= 0 || unowned.get(row)) {
                wrong[0] = "row must be given once";
              } else if (unit.isEmpty() || unit.indexOf(InputColumn.GARBLED) >= 0) {
                unowned.set(row);
              } else {
                Integer number = numbers.putIfAbsent(unit, numbers.size());
                unitOf[row] = number == null ? numbers.size() - 1 : number;
                fingerprints[row] = Fingerprint.ofUnit(unit);
              }
            });
    for (int row = 0; row < size && wrong[0] == null; row++) {
      if (unitOf[row] < 0 && !unowned.get(row)) {
        wrong[0] = "must have every example's row";
      }
    }
    if (wrong[0] != null) {
      // One person's line decides this; neither it nor how many examples there are is told.
      throw FileErrors.usage(path, wrong[0] + FileErrors.LABEL);
    }
    List<String> reasons = new ArrayList<>(rows.misfits().first());
    unowned.stream()
        .limit(Misfits.SHOWN)
        .forEach(
            row ->
                reasons.add(
                    FileErrors.message(path, "unit of row " + row + " must say whose it is.")));
    unowned.or(rows.misfits().rows());
    return new Rows(
        rows.examples(), rows.task(), unitOf, fingerprints, new Misfits(unowned, size, reasons));
  }

  private static int row(String text, int size) {
    double number = CellNumber.of(text);
    return number >= 0 && number < size && number == Math.rint(number) ? (int) number : -1;
  }
}
