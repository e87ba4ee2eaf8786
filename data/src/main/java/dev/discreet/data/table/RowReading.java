package dev.discreet.data.table;

import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.internal.RowFingerprint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What one row of a table is, after another. For one thread. */
final class RowReading {
  /** Where the unit column is; -1 without one. */
  final int unit;

  /** Where the columns are that {@link TableColumns#names} has. */
  final int[] places;

  /** The inputs of the last row and behind them its target, where it fits. */
  final float[] example;

  /** Of rows that are units. */
  final RowFingerprint rows = new RowFingerprint("row");

  /** Of units by their names. */
  final RowFingerprint units = new RowFingerprint("unit");

  private final TableColumns declared;
  private final int fields;

  /** Whose the last row is; empty without a unit column, and where the row does not say. */
  String person;

  long fingerprint;

  /** Why the last row does not fit, behind its place; empty where it does. */
  String wrong;

  RowReading(TableRows table, TableColumns declared, Optional<String> unit) {
    this.declared = declared;
    fields = table.header().size();
    List<String> names = declared.names();
    places = new int[names.size()];
    for (int i = 0; i < places.length; i++) {
      boolean labels = i == 0 && declared.hasLabel();
      places[i] = TableHeader.find(table, names.get(i), labels ? "label column" : "column");
    }
    this.unit = unit.isEmpty() ? -1 : TableHeader.find(table, unit.get(), "unit column");
    example = new float[declared.input().size() + 1];
  }

  /** The same, to be used by another thread. */
  RowReading(RowReading other) {
    declared = other.declared;
    fields = other.fields;
    places = other.places;
    unit = other.unit;
    example = new float[other.example.length];
  }

  TableColumns declared() {
    return declared;
  }

  int fields() {
    return fields;
  }

  /** How many inputs a row becomes. */
  int width() {
    return example.length - 1;
  }

  void read(List<?> cells) {
    person = unit < 0 ? "" : UnitCells.person(cells, unit);
    fingerprint = person.isEmpty() ? fingerprint(cells) : units.of(person);
    wrong = "";
    if (cells.size() != fields) {
      wrong = ": must have " + fields + " fields, as the header has. Provided: " + cells.size();
    } else if (unit >= 0 && person.isEmpty()) {
      wrong = ": the unit column must say whose the row is.";
    } else {
      try {
        declared.read(i -> cells.get(places[i]), example);
      } catch (IllegalArgumentException e) {
        wrong = ", column " + e.getMessage();
      }
    }
  }

  private long fingerprint(List<?> cells) {
    rows.clear();
    for (Object cell : cells) {
      byte[] text = CellText.of(cell).getBytes(StandardCharsets.UTF_8);
      rows.add(text, 0, text.length);
    }
    return rows.value();
  }
}
