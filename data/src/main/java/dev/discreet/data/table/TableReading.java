package dev.discreet.data.table;

import dev.discreet.data.Rows;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes examples of the rows of a table, in the same way wherever they lie. */
public final class TableReading {
  private TableReading() {}

  /**
   * Reads the declared columns; others are not looked at, except that the whole row is the identity
   * of a row without a unit. A row that does not fit the declarations counts as zero, and one
   * without a unit where there is a unit column is no one's.
   *
   * @param table read to its end
   * @param unit the column whose values say which rows are one person's; empty where every row is a
   *     person of its own
   * @param heapBytes what rows may take in memory; what is more lies in a file
   */
  public static Rows read(
      TableRows table, TableColumns declared, Optional<String> unit, long heapBytes)
      throws IOException {
    int width = declared.input().size();
    int fields = table.header().size();
    List<String> names = declared.names();
    int[] at = new int[names.size()];
    for (int i = 0; i < at.length; i++) {
      boolean labels = i == 0 && declared.hasLabel();
      at[i] = TableHeader.find(table, names.get(i), labels ? "label column" : "column");
    }
    Optional<UnitNumbers> units = Optional.empty();
    if (unit.isPresent()) {
      units = Optional.of(new UnitNumbers(TableHeader.find(table, unit.get(), "unit column")));
    }
    RowsBuilder rows = new RowsBuilder(new RowStore(width * Float.BYTES, heapBytes));
    float[] example = new float[width + 1];
    float[] row = new float[width];
    for (List<?> cells = table.next(); cells != null; cells = table.next()) {
      String person = units.isPresent() ? units.get().name(cells) : "";
      long fingerprint = person.isEmpty() ? fingerprint(cells) : Fingerprint.ofUnit(person);
      String wrong = "";
      if (cells.size() != fields) {
        wrong = ": must have " + fields + " fields, as the header has. Provided: " + cells.size();
      } else if (units.isPresent() && person.isEmpty()) {
        wrong = ": the unit column must say whose the row is.";
      } else {
        try {
          List<?> found = cells;
          declared.read(i -> found.get(at[i]), example);
        } catch (IllegalArgumentException e) {
          wrong = ", column " + e.getMessage();
        }
      }
      if (wrong.isEmpty()) {
        System.arraycopy(example, 0, row, 0, width);
        rows.add(row, example[width], fingerprint);
      } else {
        rows.misfit(fingerprint, FileErrors.message(table.name(), table.place() + wrong));
      }
      units.ifPresent(each -> each.add(person, rows.size()));
    }
    if (rows.size() == 0) {
      throw FileErrors.file(table.name(), "must have at least one row" + FileErrors.LABEL);
    }
    int[] unitOf = units.isPresent() ? units.get().of(rows.size()) : null;
    return rows.table(declared.input(), declared.task(), unitOf);
  }

  private static long fingerprint(List<?> cells) {
    return Fingerprint.of(
        "row",
        cells.stream()
            .map(cell -> CellText.of(cell).getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  /** Numbers people in the order in which they appear. */
  private static final class UnitNumbers {
    private final int column;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int[] unitOf = new int[1024];

    UnitNumbers(int column) {
      this.column = column;
    }

    String name(List<?> cells) {
      return UnitCells.person(cells, column);
    }

    void add(String name, int rows) {
      if (rows > unitOf.length) {
        unitOf = Arrays.copyOf(unitOf, RowsBuilder.grown(unitOf.length));
      }
      if (name.isEmpty()) {
        unitOf[rows - 1] = -1;
        return;
      }
      Integer number = numbers.putIfAbsent(name, numbers.size());
      unitOf[rows - 1] = number == null ? numbers.size() - 1 : number;
    }

    int[] of(int rows) {
      return Arrays.copyOf(unitOf, rows);
    }
  }
}
