package dev.discreet.data.database;

import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.table.UnitCells;
import java.io.IOException;
import java.util.List;

/**
 * Joined rows, each with the keys that were compared at its end, two for each join. A database may
 * take for equal what we do not, such as {@code Ana} and {@code ana}. Of units, such a row hangs on
 * two; of keys of a public table, one row would become several. It is left out.
 *
 * @param keys how many cells those are
 * @param units whether the keys are units, or those of public tables
 */
record KeyedRows(TableRows rows, int keys, boolean units) implements TableRows {
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
      boolean same = true;
      for (int i = own; i < cells.size(); i += 2) {
        same &= text(cells.get(i)).equals(text(cells.get(i + 1)));
      }
      if (same) {
        return cells.subList(0, own);
      }
    }
    return null;
  }

  /** Units are stripped, as everywhere. But 'a' and 'a ' may both be keys of one table. */
  private String text(Object key) {
    return units ? UnitCells.ofCell(key) : CellText.ofKey(key);
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
