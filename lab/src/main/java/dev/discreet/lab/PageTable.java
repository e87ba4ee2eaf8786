package dev.discreet.lab;

import dev.discreet.report.Article.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A further table of a page, filled row by row; without any row it is left out. */
public final class PageTable {
  private final String title;
  private final List<String> columns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param columns their names, with {@code | } between them
   */
  PageTable(String title, String columns) {
    this.title = title;
    this.columns = List.of(columns.split(" \\| "));
  }

  /** One more row; numbers are as {@link Numbers#show} has them. */
  public PageTable row(Object... cells) {
    rows.add(
        Stream.of(cells)
            .map(cell -> cell instanceof Double number ? Numbers.show(number) : cell.toString())
            .toList());
    return this;
  }

  Stream<Table> table() {
    return rows.isEmpty() ? Stream.of() : Stream.of(new Table(title, columns, rows));
  }
}
