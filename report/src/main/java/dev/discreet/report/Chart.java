package dev.discreet.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Lines as SVG in the page's own colours, light or dark, with a text for each point under the
 * pointer. (What {@link LinePlot} draws has colours of its own and is for files.)
 *
 * @param summary the whole chart in a sentence, for those who do not see it
 */
record Chart(String title, String summary, Axis x, Axis y, List<Line> lines) {
  static final int WIDTH = 480;
  static final int HEIGHT = 292;
  private static final int LEFT = 64;
  private static final int RIGHT = 28;
  private static final int BOTTOM = 50;

  // More points than this are not told apart, and make the page large.
  private static final int MOST_POINTS = 80;
  private static final int MOST_DOTS = 30;

  /**
   * @param text what is shown under the pointer
   */
  record Point(double x, double y, String text) {
    private boolean finite() {
      return Double.isFinite(x) && Double.isFinite(y);
    }
  }

  /**
   * @param name in the legend, which is there with two lines or more; empty to be left out of it
   * @param style of the style sheet: its colour and dashes
   * @param end written beside the last point; empty for nothing
   * @param stepped whether a value holds until the next point, and then jumps
   */
  record Line(String name, String style, List<Point> points, String end, boolean stepped) {
    Line {
      points = thin(points.stream().filter(Point::finite).toList());
    }

    Line(String name, String style, List<Point> points, String end) {
      this(name, style, points, end, false);
    }
  }

  /** The first, the last and evenly chosen ones between, no more than can be told apart. */
  static <T> List<T> thin(List<T> all) {
    int size = all.size();
    return size <= MOST_POINTS
        ? all
        : IntStream.range(0, MOST_POINTS)
            .mapToObj(i -> all.get((int) ((long) i * (size - 1) / (MOST_POINTS - 1))))
            .toList();
  }

  String html() {
    StringBuilder out = new StringBuilder("<figure class=\"chart\"><figcaption>");
    out.append(Html.escape(title)).append("</figcaption>");
    out.append(
        String.format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
            WIDTH, HEIGHT, Html.escape(summary)));
    axes(out);
    lines.forEach(line -> draw(out, line));
    out.append("</svg>");
    if (lines.size() > 1) {
      out.append("<ul class=\"legend\">");
      for (Line line : lines.stream().filter(each -> !each.name.isEmpty()).toList()) {
        out.append("<li><svg viewBox=\"0 0 28 8\" aria-hidden=\"true\">");
        out.append("<path class=\"line " + line.style + "\" d=\"M0 4H28\"/></svg>");
        out.append(Html.escape(line.name)).append("</li>");
      }
      out.append("</ul>");
    }
    return out.append("</figure>\n").toString();
  }

  private void axes(StringBuilder out) {
    int bottom = HEIGHT - BOTTOM;
    int right = WIDTH - RIGHT;
    out.append("<g class=\"grid\">");
    for (double tick : y.ticks()) {
      out.append("<path d=\"M" + LEFT + " " + at(down(tick)) + "H" + right + "\"/>");
    }
    out.append("</g><g class=\"axis\">");
    out.append("<path d=\"M" + LEFT + " " + bottom + "H" + right + "\"/>");
    for (double tick : x.ticks()) {
      out.append("<path d=\"M" + at(across(tick)) + " " + bottom + "v5\"/>");
      out.append(text(across(tick), bottom + 21, "middle", x.text().apply(tick)));
    }
    for (double tick : y.ticks()) {
      out.append(text(LEFT - 8, down(tick) + 4.5, "end", y.text().apply(tick)));
    }
    out.append("</g><g class=\"label\">");
    out.append(text(right, HEIGHT - 6, "end", x.label()));
    if (!y.label().isEmpty()) {
      out.append(text(4, 16, "start", y.label()));
    }
    out.append("</g>");
  }

  private void draw(StringBuilder out, Line line) {
    if (line.points.isEmpty()) {
      return;
    }
    StringBuilder path = new StringBuilder();
    for (Point point : line.points) {
      boolean jumps = line.stepped && !path.isEmpty();
      path.append(jumps ? "H" : path.isEmpty() ? "M" : "L").append(at(across(point.x)));
      path.append(jumps ? "V" : " ").append(at(down(point.y)));
    }
    if (line.stepped) {
      String under = "V" + (HEIGHT - BOTTOM) + "H" + at(across(line.points.get(0).x)) + "Z";
      out.append("<path class=\"area " + line.style + "\" d=\"" + path + under + "\"/>");
    }
    out.append("<path class=\"line " + line.style + "\" d=\"" + path + "\"/>");
    out.append("<g class=\"dots " + line.style);
    out.append(line.points.size() > MOST_DOTS ? " many\">" : "\">");
    for (Point point : line.points) {
      if (!point.text.isEmpty()) {
        out.append(
            String.format(
                "<circle cx=\"%s\" cy=\"%s\" r=\"3.5\"><title>%s</title></circle>",
                at(across(point.x)), at(down(point.y)), Html.escape(point.text)));
      }
    }
    out.append("</g>");
    if (!line.end.isEmpty()) {
      out.append("<g class=\"end " + line.style + "\">" + end(line) + "</g>");
    }
  }

  /** Near the last point, above or below all of the line that it spans. */
  private String end(Line line) {
    Point last = line.points.get(line.points.size() - 1);
    double width = 11.5 * line.end.length();
    double right = Math.max(LEFT + width, across(last.x) + 4);
    double highest = down(last.y);
    double lowest = down(last.y);
    for (int i = line.points.size() - 1; i > 0 && across(line.points.get(i).x) > right - width; ) {
      Point point = line.points.get(--i);
      Point next = line.points.get(i + 1);
      double part =
          Math.min(1, (across(next.x) - (right - width)) / (across(next.x) - across(point.x)));
      double height = down(next.y) + part * (down(point.y) - down(next.y));
      highest = Math.min(highest, height);
      lowest = Math.max(lowest, height);
    }
    double above = highest - 11;
    double below = lowest + 21;
    boolean nearer = down(last.y) - above <= below - down(last.y);
    boolean down = below <= HEIGHT - BOTTOM - 4 && (!nearer || above < top() - 12);
    return text(right, down ? below : above, "end", line.end);
  }

  /** Room for the label, if there is one. */
  private int top() {
    return y.label().isEmpty() ? 30 : 38;
  }

  private double across(double value) {
    return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
  }

  private double down(double value) {
    return HEIGHT - BOTTOM - y.place(value) * (HEIGHT - top() - BOTTOM);
  }

  private static String text(double x, double y, String anchor, String content) {
    return String.format(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>",
        at(x), at(y), anchor, Html.escape(content));
  }

  /** With one decimal, if that is not 0. */
  static String at(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
