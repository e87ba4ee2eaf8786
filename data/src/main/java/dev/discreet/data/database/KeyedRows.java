package dev.discreet.data.database;

import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.table.UnitCells;
import java.io.IOException;
import java.util.List;

/**
 * Joined rows, each with the unit that every table names at its end. A database may take for equal
 * what we do not, such as {@code Ana} and {@code ana}: such a row hangs on two units, and is left
 * out.
 */
record KeyedRows(TableRows rows, int keys) implements TableRows {
  @Override
  public String name() {
    return rows.name();
  }

  @Override
  public List<String> header() {
    List<String> all = rows.header();
    return all.subList(0, all.size() - keys);
  }

  @Override
  public List<?> next() throws IOException {
    for (List<?> cells = rows.next(); cells != null; cells = rows.next()) {
      int own = cells.size() - keys;
      long units =
          cells.subList(own, cells.size()).stream()
              .map(cell -> UnitCells.person(CellText.of(cell)))
              .distinct()
              .count();
      if (units == 1) {
        return cells.subList(0, own);
      }
    }
    return null;
  }

  @Override
  public String place() {
    return rows.place();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
