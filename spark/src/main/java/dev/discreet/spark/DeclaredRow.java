package dev.discreet.spark;

import dev.discreet.data.DataOptions;
import dev.discreet.data.table.TableColumns;
import dev.discreet.data.text.TextDialect;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * Reads a row as it was declared, in the very way in which rows of this machine are read. A row has
 * the unit and then the cells of the declared columns.
 */
final class DeclaredRow implements RowValues {
  private final String unit;
  private final String label;
  private final String[] columns;
  private final TextDialect dialect;
  // Made of the texts again on each executor.
  private transient TableColumns read;

  DeclaredRow(Object data, DataOptions options) {
    read = TableColumns.declared(data, options);
    unit = options.unit().orElseThrow();
    label = options.label().orElseThrow();
    columns = options.columns().toArray(String[]::new);
    dialect = options.dialect();
  }

  /** How its files are written, where they are text. */
  TextDialect dialect() {
    return dialect;
  }

  String unit() {
    return unit;
  }

  synchronized TableColumns columns() {
    if (read == null) {
      DataOptions declared =
          DataOptions.builder().label(label).columns(List.of(columns)).dialect(dialect).build();
      read = TableColumns.declared("", declared);
    }
    return read;
  }

  @Override
  public float[] of(Row row) {
    Object[] cells = new Object[row.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = row.get(i);
    }
    return of(cells);
  }

  /** The inputs, then the target. */
  float[] of(Object[] row) {
    float[] values = new float[columns().input().size() + 1];
    columns().read(i -> row[1 + i], values);
    return values;
  }

  /** What does not fit, in words without any value; empty where all does. */
  String fault(Object[] row) {
    if (row[0] == null || row[0].toString().isBlank()) {
      return "column " + unit + ", which says whose a row is";
    }
    List<String> names = columns().names();
    if (row.length <= names.size()) {
      return "number of fields";
    }
    for (int i = 0; i < names.size(); i++) {
      if (!columns().fits(i, row[1 + i])) {
        return "column " + names.get(i);
      }
    }
    return "";
  }
}
