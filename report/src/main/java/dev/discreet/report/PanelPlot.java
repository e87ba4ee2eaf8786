package dev.discreet.report;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Small pictures side by side under one title, as SVG: clouds of points and histograms.
 *
 * @param title also says where the data come from
 */
public record PanelPlot(String title, int columns, List<Panel> panels) {
  private static final int SIDE = 220;
  private static final int GAP = 16;
  private static final int HEAD = 44;
  private static final int NAME = 20;
  private static final int LINE = 17;
  // Of a bold letter of 13 pixels, on the wide side: no font is measured here.
  private static final double LETTER = 7.8;

  /** One of the pictures. */
  public sealed interface Panel {
    /** What stands above it. */
    String name();

    /** It as SVG elements, within a square of equal sides. */
    String drawn();
  }

  /** Points around the origin, on equal axes, with a cross at their mean. */
  public record Dots(String name, double[][] points) implements Panel {
    @Override
    public String drawn() {
      StringBuilder out = new StringBuilder();
      draw(out, this);
      return out.toString();
    }
  }

  /** Bars from left to right over [low, high]. */
  public record Bars(String name, long[] counts, double low, double high) implements Panel {
    @Override
    public String drawn() {
      StringBuilder out = new StringBuilder();
      draw(out, this);
      return out.toString();
    }
  }

  public PanelPlot {
    Check.that(columns >= 1, "columns", "at least 1", columns);
    Check.that(!panels.isEmpty(), "panels", "at least one", "none");
    panels = List.copyOf(panels);
  }

  public String svg() {
    int rows = (panels.size() + columns - 1) / columns;
    int width = GAP + Math.min(columns, panels.size()) * (SIDE + GAP);
    List<String> lines = lines(title, (int) ((width - 2 * GAP) / LETTER));
    int head = HEAD + (lines.size() - 1) * LINE;
    int height = head + rows * (SIDE + NAME + GAP);
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\">%n",
            width, height, width, height));
    out.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (int i = 0; i < lines.size(); i++) {
      out.append(
          text(GAP, 26 + i * LINE, "start", lines.get(i))
              .replace("<text", "<text font-weight=\"bold\""));
    }
    for (int i = 0; i < panels.size(); i++) {
      int x = GAP + i % columns * (SIDE + GAP);
      int y = head + i / columns * (SIDE + NAME + GAP);
      out.append(String.format("<g transform=\"translate(%d %d)\">%n", x, y));
      out.append(text(0, 12, "start", panels.get(i).name()));
      out.append(String.format("<g transform=\"translate(0 %d)\">%n", NAME));
      out.append(panels.get(i).drawn());
      out.append("</g></g>\n");
    }
    return out.append("</svg>\n").toString();
  }

  /** Broken between words, and within one that is longer than a line. */
  private static List<String> lines(String text, int most) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > most) {
      int space = rest.lastIndexOf(' ', most);
      int end = space > 0 ? space : most;
      lines.add(rest.substring(0, end));
      rest = rest.substring(end).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  private static void draw(StringBuilder out, Dots dots) {
    double reach = 0;
    double[] mean = new double[2];
    for (double[] point : dots.points()) {
      reach = Math.max(reach, Math.max(Math.abs(point[0]), Math.abs(point[1])));
      mean[0] += point[0] / dots.points().length;
      mean[1] += point[1] / dots.points().length;
    }
    double scale = reach > 0 ? SIDE / (2.1 * reach) : 1;
    frame(out);
    out.append(
        String.format(
            "<path d=\"M0 %1$d H%2$d M%1$d 0 V%2$d\" stroke=\"#e6e6e6\"/>%n", SIDE / 2, SIDE));
    out.append("<g fill=\"#0072B2\" fill-opacity=\"0.45\">\n");
    for (double[] point : dots.points()) {
      out.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>%n",
              SIDE / 2 + scale * point[0],
              SIDE / 2 - scale * point[1]));
    }
    out.append("</g>\n");
    out.append(
        String.format(
            Locale.ROOT,
            "<path d=\"M%.1f %.1f m-6 0 h12 m-6 -6 v12\" stroke=\"#D55E00\" stroke-width=\"2\"/>%n",
            SIDE / 2 + scale * mean[0],
            SIDE / 2 - scale * mean[1]));
  }

  private static void draw(StringBuilder out, Bars bars) {
    frame(out);
    double most = Math.max(1, Arrays.stream(bars.counts()).max().orElse(0));
    double width = (double) SIDE / bars.counts().length;
    int floor = SIDE - 18;
    for (int i = 0; i < bars.counts().length; i++) {
      double height = (floor - 6) * bars.counts()[i] / most;
      out.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#0072B2\"/>%n",
              i * width + 0.5,
              floor - height,
              Math.max(0.5, width - 1),
              height));
    }
    out.append(text(2, SIDE - 4, "start", Axis.label(bars.low())));
    out.append(text(SIDE / 2, SIDE - 4, "middle", Axis.label((bars.low() + bars.high()) / 2)));
    out.append(text(SIDE - 2, SIDE - 4, "end", Axis.label(bars.high())));
  }

  private static void frame(StringBuilder out) {
    out.append(
        String.format(
            "<rect width=\"%1$d\" height=\"%1$d\" fill=\"none\" stroke=\"#ccc\"/>%n", SIDE));
  }

  private static String text(int x, int y, String anchor, String content) {
    return String.format(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n",
        x, y, anchor, Html.escape(content));
  }
}
