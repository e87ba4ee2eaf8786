package dev.discreet.report;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Values with their intervals, one below the other: a dot on a line. Each panel has an axis of its
 * own. A line that goes on to the edge has no end there.
 *
 * @param note what the intervals mean, in one or several lines
 */
public record IntervalPlot(String note, List<Panel> panels) {
  private static final int WIDTH = 760;
  private static final int GAP = 16;
  private static final int ROW = 18;
  private static final int HEAD = 34;
  private static final int FOOT = 34;
  // Of a letter of 13 pixels, on the wide side: no font is measured here.
  private static final double LETTER = 7.4;
  private static final int LONGEST_LABEL = 40;
  private static final int MOST_ROWS = 200;

  /**
   * One value.
   *
   * @param low the lower end; may be −∞
   * @param high the upper end; may be ∞
   */
  public record Row(String label, double value, double low, double high) {}

  /** Values on one axis. */
  public record Panel(String title, List<Row> rows) {
    /** Copies the rows. */
    public Panel {
      rows = List.copyOf(rows);
    }

    /** Of very many the first: a picture of more would not be read. */
    private List<Row> shown() {
      return rows.subList(0, Math.min(MOST_ROWS, rows.size()));
    }

    private int height() {
      return HEAD + ROW * shown().size() + FOOT;
    }
  }

  public IntervalPlot {
    Check.that(!panels.isEmpty(), "panels", "at least one", "none");
    panels = List.copyOf(panels);
  }

  /** The picture, without any reference to the outside. */
  public String svg() {
    List<String> notes = note.lines().toList();
    int height = 2 * GAP + ROW * notes.size() + panels.stream().mapToInt(Panel::height).sum();
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
                + " height=\"%2$d\" font-family=\"sans-serif\" font-size=\"13\""
                + " fill=\"#333333\" stroke=\"none\">%n",
            WIDTH, height));
    out.append(
        String.format(
            "<path d=\"M0 0 H%d V%d H0 z\" fill=\"#ffffff\" stroke=\"#ffffff\"/>%n",
            WIDTH, height));
    int top = GAP;
    for (Panel panel : panels) {
      draw(out, panel, top);
      top += panel.height();
    }
    for (String line : notes) {
      top += ROW;
      out.append(text(GAP, top, "start", line));
    }
    return out.append("</svg>\n").toString();
  }

  /** Writes the whole picture or nothing, as SVG or PNG by the end of its name. */
  public void write(Path file) throws IOException {
    LinePlot.write(file, svg());
  }

  private static void draw(StringBuilder out, Panel panel, int top) {
    List<Row> rows = panel.shown();
    int longest = rows.stream().mapToInt(row -> shortened(row.label()).length()).max().orElse(0);
    double left = GAP + 10 + LETTER * longest;
    double right = WIDTH - 2 * GAP;
    double[] finite =
        rows.stream()
            .flatMapToDouble(row -> DoubleStream.of(row.value(), row.low(), row.high()))
            .filter(Double::isFinite)
            .toArray();
    Axis axis =
        Axis.linear(
            DoubleStream.of(finite).min().orElse(0),
            DoubleStream.of(finite).max().orElse(1),
            "",
            Axis::label);
    String more =
        rows.size() < panel.rows().size()
            ? " (the first " + rows.size() + " of " + panel.rows().size() + ")"
            : "";
    out.append(
        text(GAP, top + 14, "start", panel.title() + more)
            .replace("<text", "<text font-weight=\"bold\""));
    int from = top + HEAD - 8;
    int to = top + HEAD + ROW * rows.size();
    for (double tick : axis.ticks()) {
      double x = left + (right - left) * axis.place(tick);
      out.append(path("M%.1f %d V%d", "#e6e6e6", 1, x, from, to));
      out.append(text(x, to + 15, "middle", axis.text().apply(tick)));
    }
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      int y = top + HEAD + ROW * i + ROW / 2 - 4;
      double low = place(axis, row.low(), left, right);
      double high = place(axis, row.high(), left, right);
      double value = place(axis, row.value(), left, right);
      out.append(text(left - 8, y + 4, "end", shortened(row.label())));
      out.append(path("M%.1f %d H%.1f", "#0072B2", 2, low, y, high));
      for (double end : finiteEnds(row)) {
        double x = place(axis, end, left, right);
        out.append(path("M%.1f %d V%d", "#0072B2", 2, x, y - 4, y + 4));
      }
      out.append(
          path("M%.1f %d h6 v6 h-6 z", "#D55E00", 1, value - 3, y - 3)
              .replace("fill=\"none\"", "fill=\"#D55E00\""));
    }
  }

  private static double[] finiteEnds(Row row) {
    return DoubleStream.of(row.low(), row.high()).filter(Double::isFinite).toArray();
  }

  private static double place(Axis axis, double value, double left, double right) {
    double place = Math.max(0, Math.min(1, axis.place(value)));
    return left + (right - left) * place;
  }

  private static String shortened(String label) {
    return label.length() <= LONGEST_LABEL ? label : label.substring(0, LONGEST_LABEL - 1) + "…";
  }

  private static String path(String form, String colour, int width, Object... numbers) {
    return "<path d=\""
        + String.format(Locale.ROOT, form, numbers)
        + "\" fill=\"none\" stroke=\""
        + colour
        + "\" stroke-width=\""
        + width
        + "\"/>\n";
  }

  private static String text(double x, int y, String anchor, String content) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>%n",
        x,
        y,
        anchor,
        Html.escape(content));
  }
}
