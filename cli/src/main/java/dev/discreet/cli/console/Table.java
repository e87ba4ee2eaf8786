package dev.discreet.cli.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Text in aligned columns. */
public final class Table {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  public Table row(String... cells) {
    rows.add(cells);
    return this;
  }

  public void print(PrintWriter out) {
    int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
    int[] width = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        width[i] = Math.max(width[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]).append(" ".repeat(width[i] - row[i].length())).append(GAP);
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
