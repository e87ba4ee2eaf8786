package dev.discreet.lab;

import dev.discreet.report.Article.Figure;
import dev.discreet.report.LinePlot;
import dev.discreet.report.LinePlot.Line;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A figure of the lines that there are already; without any it is left out. */
public final class Picture {
  private final Consumer<Figure> page;
  private final String file;
  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final List<Line> lines = new ArrayList<>();
  private boolean evenX;
  private boolean evenY;

  Picture(Consumer<Figure> page, String file, String title, String xLabel, String yLabel) {
    this.page = page;
    this.file = file;
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** Keeps the x axis from being logarithmic: for steps and epochs. */
  public Picture even() {
    evenX = true;
    return this;
  }

  /** The same of both axes. */
  public Picture allEven() {
    evenY = true;
    return even();
  }

  /** One more line, if it has points that can be drawn. */
  public Picture line(String name, boolean dashed, List<Point> points) {
    if (points.stream().anyMatch(p -> Double.isFinite(p.x()) && Double.isFinite(p.y()))) {
      lines.add(new Line(name, dashed, points));
    }
    return this;
  }

  /** A dashed line at one height, from one x to another; none without a height. */
  public Picture level(String name, double from, double to, double y) {
    return line(name, true, List.of(new Point(from, y), new Point(to, y)));
  }

  /** A curve whose i-th value, from 0, stands at {@code x(i)}. */
  public Picture curve(String name, boolean dashed, IntToDoubleFunction x, List<Double> curve) {
    return line(
        name,
        dashed,
        IntStream.range(0, curve.size())
            .mapToObj(i -> new Point(x.applyAsDouble(i), curve.get(i)))
            .toList());
  }

  /** A curve from 0, before the first of the steps, to the last of them. */
  public Picture fromStart(String name, boolean dashed, double steps, List<Double> curve) {
    return curve(name, dashed, i -> steps * i / Math.max(1, curve.size() - 1), curve);
  }

  /** A curve of looks at equal distances, the last of them at the end of the steps or epochs. */
  public Picture looks(String name, boolean dashed, double steps, List<Double> curve) {
    return curve(name, dashed, i -> steps * (i + 1) / curve.size(), curve);
  }

  /** The points whose sample has anything in it, each with its mean. */
  public <T> Picture means(
      String name, boolean dashed, List<T> over, ToDoubleFunction<T> x, Function<T, Sample> y) {
    return line(
        name,
        dashed,
        over.stream()
            .flatMap(
                each -> {
                  Sample sample = y.apply(each);
                  return sample.size() == 0
                      ? Stream.of()
                      : Stream.of(new Point(x.applyAsDouble(each), sample.mean()));
                })
            .toList());
  }

  /** Puts it on the page if it has any line. The caption is as {@link Numbers#prose} has it. */
  public void caption(String caption, Object... what) {
    if (lines.isEmpty()) {
      return;
    }
    LinePlot plot = new LinePlot(title, xLabel, yLabel, lines, evenX, evenY);
    try {
      page.accept(new Figure(file + ".svg", plot.svg(), Numbers.prose(caption, what)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
