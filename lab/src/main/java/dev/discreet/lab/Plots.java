package dev.discreet.lab;

import dev.discreet.report.Article.Figure;
import dev.discreet.report.LinePlot;
import dev.discreet.report.LinePlot.Line;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Curves of outcomes as figures of a finding. */
public final class Plots {
  // More are not told apart, and make files large.
  private static final int MOST = 30;

  private Plots() {}

  /** Values at even places of [from, to], no more than can be told apart; none for no values. */
  public static List<Line> line(
      String name, boolean dashed, double from, double to, List<Double> values) {
    int size = values.size();
    int shown = Math.min(size, MOST);
    if (size == 0) {
      return List.of();
    }
    return List.of(
        new Line(
            name,
            dashed,
            IntStream.range(0, shown)
                .map(i -> shown == 1 ? 0 : (int) ((long) i * (size - 1) / (shown - 1)))
                .mapToObj(
                    i ->
                        new Point(
                            size == 1 ? to : from + (to - from) * i / (size - 1), values.get(i)))
                .toList()));
  }

  /** Lines over steps, epochs or another even axis; no figure where there is none. */
  public static void over(
      Finding.Builder finding,
      String file,
      String title,
      String x,
      String y,
      List<Line> lines,
      String caption)
      throws IOException {
    draw(finding, file, new LinePlot(title, x, y, lines, true), caption);
  }

  /** Any lines; no figure where there is none. */
  public static void draw(Finding.Builder finding, String file, LinePlot plot, String caption)
      throws IOException {
    boolean some =
        plot.lines().stream()
            .flatMap(line -> line.points().stream())
            .anyMatch(point -> Double.isFinite(point.x()) && Double.isFinite(point.y()));
    if (some) {
      finding.figure(new Figure(file + ".svg", plot.svg(), caption));
    }
  }
}
