package dev.discreet.report;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Small pictures side by side, as SVG for files: clouds of points and bars, to be compared by eye.
 *
 * @param columns how many stand in a row
 */
public record Panels(String title, int columns, List<Panel> panels) {
  private static final int SIDE = 220;
  private static final int GAP = 24;
  private static final int HEAD = 40;
  private static final int NAME = 22;
  private static final String BLUE = "#0072B2";
  private static final String INK = "#333333";

  /** One picture. */
  public sealed interface Panel {
    String name();
  }

  /**
   * Points on axes of one scale, with the origin and the mean marked.
   *
   * @param points x and y of each
   */
  public record Cloud(String name, double[][] points) implements Panel {}

  /**
   * Equal bins from one number to another.
   *
   * @param heights 0 or more
   */
  public record Bars(String name, double from, double to, double[] heights) implements Panel {}

  public Panels {
    Check.that(columns >= 1, "columns", "at least 1", columns);
    Check.that(!panels.isEmpty(), "panels", "at least one", "none");
    panels = List.copyOf(panels);
  }

  public String svg() {
    int across = Math.min(columns, panels.size());
    int down = (panels.size() + columns - 1) / columns;
    int width = GAP + across * (SIDE + GAP);
    int height = HEAD + down * (SIDE + NAME + GAP);
    StringBuilder out = new StringBuilder();
    out.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
            + (width + " " + height)
            + "\" width=\""
            + width
            + "\" height=\""
            + height
            + "\" font-family=\"sans-serif\" font-size=\"13\" fill=\""
            + INK
            + "\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    out.append(text(width / 2.0, 24, "middle\" font-weight=\"bold", title));
    for (int i = 0; i < panels.size(); i++) {
      int x = GAP + i % columns * (SIDE + GAP);
      int y = HEAD + i / columns * (SIDE + NAME + GAP) + NAME;
      Panel panel = panels.get(i);
      out.append("<g transform=\"translate(" + x + " " + y + ")\">");
      out.append(text(SIDE / 2.0, -7, "middle", panel.name()));
      out.append(panel instanceof Cloud cloud ? draw(cloud) : draw((Bars) panel));
      out.append("</g>\n");
    }
    return out.append("</svg>\n").toString();
  }

  private static String draw(Cloud cloud) {
    double reach = 0;
    double[] mean = new double[2];
    for (double[] point : cloud.points) {
      reach = Math.max(reach, Math.max(Math.abs(point[0]), Math.abs(point[1])));
      mean[0] += point[0] / cloud.points.length;
      mean[1] += point[1] / cloud.points.length;
    }
    double scale = reach > 0 ? 0.47 * SIDE / reach : 1;
    StringBuilder out = new StringBuilder(frame());
    double half = SIDE / 2.0;
    out.append(line("M0 " + at(half) + "H" + SIDE + "M" + at(half) + " 0V" + SIDE, "#CCCCCC", 1));
    StringBuilder dots = new StringBuilder();
    for (double[] point : cloud.points) {
      dots.append("M" + at(half + scale * point[0]) + " " + at(half - scale * point[1]) + "h0");
    }
    out.append(
        "<path fill=\"none\" stroke=\""
            + BLUE
            + "\" stroke-opacity=\"0.55\" stroke-width=\"3\" stroke-linecap=\"round\" d=\""
            + dots
            + "\"/>");
    String cross =
        "M" + at(half + scale * mean[0] - 5) + " " + at(half - scale * mean[1]) + "h10m-5 -5v10";
    out.append(line(cross, "#D55E00", 2.5));
    out.append(text(SIDE - 3, SIDE - 4, "end", "± " + Drawing.label(round(half / scale))));
    return out.toString();
  }

  private static String draw(Bars bars) {
    double most = Arrays.stream(bars.heights).max().orElse(0);
    double width = (double) SIDE / Math.max(1, bars.heights.length);
    double room = SIDE - 18;
    StringBuilder out = new StringBuilder();
    StringBuilder boxes = new StringBuilder();
    for (int i = 0; i < bars.heights.length && most > 0; i++) {
      double height = 0.95 * room * bars.heights[i] / most;
      if (height > 0) {
        boxes.append(
            "M" + at(i * width) + " " + at(room) + "v" + at(-height) + "h" + at(0.9 * width));
        boxes.append("v" + at(height) + "z");
      }
    }
    out.append("<path fill=\"" + BLUE + "\" d=\"" + boxes + "\"/>");
    out.append(line("M0 " + at(room) + "H" + SIDE, INK, 1));
    if (bars.from < 0 && bars.to > 0) {
      double zero = SIDE * -bars.from / (bars.to - bars.from);
      out.append(line("M" + at(zero) + " 0V" + at(room), "#D55E00", 1));
      out.append(text(zero, SIDE - 2, "middle", "0"));
    }
    out.append(text(0, SIDE - 2, "start", Drawing.label(bars.from)));
    out.append(text(SIDE, SIDE - 2, "end", Drawing.label(bars.to)));
    return out.toString();
  }

  private static String frame() {
    return "<rect width=\""
        + SIDE
        + "\" height=\""
        + SIDE
        + "\" fill=\"none\" stroke=\"#999999\"/>";
  }

  private static String line(String path, String colour, double width) {
    return "<path fill=\"none\" stroke=\""
        + colour
        + "\" stroke-width=\""
        + at(width)
        + "\" d=\""
        + path
        + "\"/>";
  }

  private static String text(double x, double y, String anchor, String content) {
    return "<text x=\""
        + at(x)
        + "\" y=\""
        + at(y)
        + "\" text-anchor=\""
        + anchor
        + "\">"
        + Html.escape(content)
        + "</text>";
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.2g", value));
  }

  private static String at(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
