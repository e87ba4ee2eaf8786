package dev.discreet.report;

import java.awt.Color;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What every drawing of a {@link LinePlot} has in common: which axes and points, what colours. */
final class PlotStyle {
  // A span beyond which an axis is logarithmic.
  private static final double SPAN = 20;

  // Okabe and Ito's colours, which people with any kind of colour vision tell apart; the shapes
  // tell the lines apart in print.
  static final List<Color> COLOURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x000000),
          new Color(0x56B4E9));
  static final Color INK = new Color(0x333333);
  static final Color GRID = new Color(0xE6E6E6);

  private final LinePlot plot;
  final boolean xLogarithmic;
  final boolean yLogarithmic;

  PlotStyle(LinePlot plot) {
    this.plot = plot;
    this.xLogarithmic = !plot.evenX() && spansFar(LinePlot.Point::x);
    this.yLogarithmic = !plot.evenY() && spansFar(LinePlot.Point::y);
  }

  private boolean spansFar(ToDoubleFunction<LinePlot.Point> axis) {
    var values =
        plot.lines().stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(axis)
            .filter(value -> value != 0 && Double.isFinite(value))
            .summaryStatistics();
    return values.getMin() > 0 && values.getMax() > SPAN * values.getMin();
  }

  /** Those of a line that have a place on the axes. */
  List<LinePlot.Point> of(LinePlot.Line line) {
    return line.points().stream().filter(this::hasAPlace).toList();
  }

  private boolean hasAPlace(LinePlot.Point point) {
    return Double.isFinite(point.x())
        && Double.isFinite(point.y())
        && (!xLogarithmic || point.x() > 0)
        && (!yLogarithmic || point.y() > 0);
  }
}
