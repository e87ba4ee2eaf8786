package dev.discreet.report;

import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A {@link LinePlot} as SVG, the legend below, with no more points than can be told apart. */
final class SvgDrawing {
  static final int WIDTH = 800;
  private static final int PLOT_HEIGHT = 350;
  private static final int RIGHT = 28;
  private static final int ROW = 20;

  // Of a character, on average; a browser's sans-serif is not known here.
  private static final double CHARACTER = 7.4;
  private static final int SAMPLE = 36;

  // A line of more points has no markers.
  private static final int MOST_MARKERS = 40;

  // Of all lines together, where they have many points.
  private static final int MOST_COLUMNS = 700;
  private static final int FEWEST_COLUMNS = 50;

  private final LinePlot plot;
  private final Map<Integer, List<LinePlot.Point>> shown = new LinkedHashMap<>();
  private final Axis x;
  private final Axis y;
  private final List<String> title;
  private final int left;
  private final int top;

  SvgDrawing(LinePlot plot) {
    this.plot = plot;
    PlotStyle places = new PlotStyle(plot);
    for (int i = 0; i < plot.lines().size(); i++) {
      List<LinePlot.Point> points = places.of(plot.lines().get(i));
      if (!points.isEmpty()) {
        shown.put(i, points);
      }
    }
    this.x = axis(LinePlot.Point::x, places.xLogarithmic, plot.xLabel());
    this.y = axis(LinePlot.Point::y, places.yLogarithmic, plot.yLabel());
    this.title = wrapped(plot.title(), 88);
    int widest = y.ticks().stream().mapToInt(tick -> y.text().apply(tick).length()).max().orElse(0);
    this.left = 40 + (int) Math.ceil(CHARACTER * widest);
    this.top = 16 + ROW * title.size();
  }

  private Axis axis(ToDoubleFunction<LinePlot.Point> value, boolean logarithmic, String label) {
    double[] values =
        shown.values().stream().flatMap(List::stream).mapToDouble(value).sorted().toArray();
    return logarithmic
        ? Axis.logarithmic(values[0], values[values.length - 1], label)
        : Axis.even(values, label);
  }

  String svg() {
    StringBuilder content = new StringBuilder();
    for (int i = 0; i < title.size(); i++) {
      content.append(text(WIDTH / 2.0, 24 + ROW * i, "middle", title.get(i), " font-weight='700'"));
    }
    axes(content);
    shown.forEach((index, points) -> draw(content, index, points));
    int height = legend(content, bottom() + 66);
    return String.format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'"
                + " role='img' aria-label='%s' font-family='sans-serif' font-size='14' fill='%s'>\n"
                + "<rect width='100%%' height='100%%' fill='#fff'/>\n",
            WIDTH, height, WIDTH, height, Html.escape(plot.title()), hex(PlotStyle.INK))
        + content
        + "</svg>\n";
  }

  private void axes(StringBuilder out) {
    StringBuilder grid = new StringBuilder();
    StringBuilder marks = new StringBuilder();
    for (double tick : x.ticks()) {
      grid.append("M" + at(across(tick)) + " " + top + "V" + bottom());
      marks.append("M" + at(across(tick)) + " " + bottom() + "v6");
      out.append(text(across(tick), bottom() + 22, "middle", x.text().apply(tick), ""));
    }
    for (double tick : y.ticks()) {
      grid.append("M" + left + " " + at(down(tick)) + "H" + (WIDTH - RIGHT));
      marks.append("M" + left + " " + at(down(tick)) + "h-6");
      out.append(text(left - 10, down(tick) + 5, "end", y.text().apply(tick), ""));
    }
    x.minor().forEach(at -> marks.append("M" + at(across(at)) + " " + bottom() + "v3"));
    y.minor().forEach(at -> marks.append("M" + left + " " + at(down(at)) + "h-3"));
    marks.append("M" + left + " " + top + "V" + bottom() + "H" + (WIDTH - RIGHT));
    out.append("<path stroke='" + hex(PlotStyle.GRID) + "' d='" + grid + "'/>\n");
    out.append("<path fill='none' stroke='" + hex(PlotStyle.INK) + "' d='" + marks + "'/>\n");
    out.append(text((left + WIDTH - RIGHT) / 2.0, bottom() + 44, "middle", plot.xLabel(), ""));
    double middle = top + PLOT_HEIGHT / 2.0;
    String turned = " transform='rotate(-90 18 " + at(middle) + ")'";
    out.append(text(18, middle, "middle", plot.yLabel(), turned));
  }

  private void draw(StringBuilder out, int index, List<LinePlot.Point> points) {
    boolean few = points.size() <= MOST_MARKERS;
    List<double[]> places = few ? placed(points) : thinned(placed(points));
    StringBuilder path = new StringBuilder();
    String before = "";
    for (double[] place : places) {
      String next = at(place[0]) + " " + at(place[1]);
      if (!next.equals(before)) {
        path.append(path.isEmpty() ? "M" : "L").append(next);
        before = next;
      }
    }
    out.append("<g" + colours(index) + ">");
    if (places.size() > 1) {
      out.append("<path" + stroke(index, few) + " d='" + path + "'/>");
    }
    if (few) {
      StringBuilder markers = new StringBuilder();
      places.forEach(place -> markers.append(marker(index, place[0], place[1])));
      out.append("<path stroke-width='1.5' d='" + markers + "'/>");
    }
    out.append("</g>\n");
  }

  private List<double[]> placed(List<LinePlot.Point> points) {
    return points.stream().map(point -> new double[] {across(point.x()), down(point.y())}).toList();
  }

  /** The highest and the lowest of each column, so that a noisy line stays as wide as it is. */
  private List<double[]> thinned(List<double[]> places) {
    int columns = Math.max(FEWEST_COLUMNS, MOST_COLUMNS / shown.size());
    double width = (WIDTH - RIGHT - left) / (double) columns;
    List<double[]> kept = new ArrayList<>();
    int begin = 0;
    for (int i = 1; i <= places.size(); i++) {
      if (i == places.size()
          || Math.floor(places.get(i)[0] / width) != Math.floor(places.get(begin)[0] / width)) {
        keep(kept, places.subList(begin, i));
        begin = i;
      }
    }
    kept.add(places.get(places.size() - 1));
    return kept;
  }

  private static void keep(List<double[]> kept, List<double[]> column) {
    int low = 0;
    int high = 0;
    for (int i = 1; i < column.size(); i++) {
      low = column.get(i)[1] > column.get(low)[1] ? i : low;
      high = column.get(i)[1] < column.get(high)[1] ? i : high;
    }
    kept.add(column.get(Math.min(low, high)));
    if (low != high) {
      kept.add(column.get(Math.max(low, high)));
    }
  }

  /** Returns the height of the whole. */
  private int legend(StringBuilder out, int from) {
    int room = WIDTH - RIGHT - left;
    int longest =
        shown.keySet().stream().mapToInt(i -> plot.lines().get(i).name().length()).max().orElse(0);
    double need = SAMPLE + 8 + CHARACTER * longest + 16;
    int columns = (int) Math.max(1, Math.min(shown.size(), Math.floor(room / need)));
    int most = (int) ((room / (double) columns - SAMPLE - 24) / CHARACTER);
    int row = from;
    int deepest = 0;
    int column = 0;
    for (int index : shown.keySet()) {
      if (column == columns) {
        row += ROW * deepest;
        deepest = 0;
        column = 0;
      }
      double begin = left + column * Math.min(need, room / (double) columns);
      boolean few = shown.get(index).size() <= MOST_MARKERS;
      String line = "M" + at(begin) + " " + row + "h" + SAMPLE;
      out.append("<g" + colours(index) + ">");
      out.append("<path" + stroke(index, few) + " d='" + line + "'/>");
      if (few) {
        out.append(
            "<path stroke-width='1.5' d='" + marker(index, begin + SAMPLE / 2.0, row) + "'/>");
      }
      out.append("</g>");
      List<String> rows = wrapped(plot.lines().get(index).name(), Math.max(20, most));
      for (int i = 0; i < rows.size(); i++) {
        out.append(text(begin + SAMPLE + 8, row + 5 + ROW * i, "start", rows.get(i), ""));
      }
      deepest = Math.max(deepest, rows.size());
      column++;
    }
    return row + ROW * deepest;
  }

  private static String colours(int index) {
    String colour = hex(PlotStyle.COLOURS.get(index % PlotStyle.COLOURS.size()));
    return " stroke='" + colour + "' fill='" + colour + "'";
  }

  /** Thinner than the line below it, so that lines that coincide are both seen. */
  private String stroke(int index, boolean few) {
    double width = few ? 3.5 - index % 3 : 2.2 - 0.4 * (index % 3);
    return " fill='none' stroke-linejoin='round' stroke-width='"
        + at(width)
        + (plot.lines().get(index).dashed() ? "' stroke-dasharray='7 4'" : "'");
  }

  /** Shapes go round at another pace than colours: no two of the first 49 lines are alike. */
  private static String marker(int index, double x, double y) {
    String form =
        switch ((index + index / PlotStyle.COLOURS.size()) % 7) {
          case 0 -> "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0";
          case 1 -> "m-3-3h6v6h-6z";
          case 2 -> "m0-4l4 7h-8z";
          case 3 -> "m0-4l4 4l-4 4l-4-4z";
          case 4 -> "m0 4l4-7h-8z";
          case 5 -> "m-3-3l6 6m0-6l-6 6";
          default -> "m-4 0h8m-4-4v8";
        };
    return "M" + at(x) + " " + at(y) + form;
  }

  private int bottom() {
    return top + PLOT_HEIGHT;
  }

  private double across(double value) {
    return left + x.place(value) * (WIDTH - RIGHT - left);
  }

  private double down(double value) {
    return bottom() - y.place(value) * PLOT_HEIGHT;
  }

  private static String text(double x, double y, String anchor, String content, String more) {
    return String.format(
        "<text x='%s' y='%s' text-anchor='%s'%s>%s</text>\n",
        at(x), at(y), anchor, more, Html.escape(content));
  }

  /** In rows of no more characters than these, if its words allow it. */
  private static List<String> wrapped(String text, int most) {
    List<String> rows = new ArrayList<>();
    for (String word : text.strip().split("\\s+")) {
      int last = rows.size() - 1;
      if (last >= 0 && rows.get(last).length() + 1 + word.length() <= most) {
        rows.set(last, rows.get(last) + " " + word);
      } else {
        rows.add(word);
      }
    }
    return rows;
  }

  private static String at(double value) {
    return Chart.at(value);
  }

  private static String hex(Color colour) {
    return String.format("#%06x", colour.getRGB() & 0xFFFFFF);
  }
}
