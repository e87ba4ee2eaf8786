package dev.discreet.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A {@link LinePlot} through XChart. */
final class Drawing {
  static final int WIDTH = 1000;
  static final int HEIGHT = 600;

  /** Pixels a unit in PNG, so that it is sharp on dense screens. */
  static final int SCALE = 2;

  // A span beyond which an axis is logarithmic.
  private static final double SPAN = 20;

  // Okabe and Ito's colours, which people with any kind of colour vision tell apart; the shapes
  // tell the lines apart in print.
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x000000),
          new Color(0x56B4E9));
  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS,
          SeriesMarkers.PLUS);
  private static final Color INK = new Color(0x333333);
  private static final Color GRID = new Color(0xE6E6E6);

  private final LinePlot plot;
  private final boolean xLogarithmic;
  private final boolean yLogarithmic;

  Drawing(LinePlot plot) {
    this.plot = plot;
    this.xLogarithmic = !plot.evenX() && spansFar(LinePlot.Point::x);
    this.yLogarithmic = spansFar(LinePlot.Point::y);
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

  void write(OutputStream out, LinePlot.Format format) throws IOException {
    XYChart chart = chart();
    if (format == LinePlot.Format.SVG) {
      ChartEncoder.saveChart(chart, out, "svg");
      return;
    }
    BufferedImage image =
        new BufferedImage(SCALE * WIDTH, SCALE * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(SCALE, SCALE);
    chart.paint(graphics, WIDTH, HEIGHT);
    graphics.dispose();
    ImageIO.write(image, "png", out);
  }

  private XYChart chart() throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(plot.title())
            .xAxisTitle(plot.xLabel())
            .yAxisTitle(plot.yLabel())
            .build();
    style(chart.getStyler());
    int index = 0;
    for (LinePlot.Line line : plot.lines()) {
      List<LinePlot.Point> points = line.points().stream().filter(this::hasAPlace).toList();
      if (!points.isEmpty()) {
        add(chart, line, points, index);
      }
      index++;
    }
    if (chart.getSeriesCollection().isEmpty()) {
      throw new IOException(
          "there is nothing to draw: no point of \"" + plot.title() + "\" is finite");
    }
    return chart;
  }

  private boolean hasAPlace(LinePlot.Point point) {
    return Double.isFinite(point.x())
        && Double.isFinite(point.y())
        && (!xLogarithmic || point.x() > 0)
        && (!yLogarithmic || point.y() > 0);
  }

  private static void add(
      XYChart chart, LinePlot.Line line, List<LinePlot.Point> points, int index) {
    double[] x = points.stream().mapToDouble(LinePlot.Point::x).toArray();
    double[] y = points.stream().mapToDouble(LinePlot.Point::y).toArray();
    XYSeries series = chart.addSeries(line.name(), x, y);
    Color colour = COLOURS.get(index % COLOURS.size());
    series.setLineColor(colour);
    series.setMarkerColor(colour);
    series.setMarker(MARKERS.get(index % MARKERS.size()));
    float[] dashes = line.dashed() ? new float[] {6, 4} : null;
    // Thinner than the line below it, so that lines that coincide are both seen.
    float width = 4.5f - 1.5f * (index % 3);
    series.setLineStyle(
        new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0));
  }

  private void style(XYStyler style) {
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    style.setXAxisLogarithmic(xLogarithmic).setYAxisLogarithmic(yLogarithmic);
    style.setXAxisTickLabelsFormattingFunction(Drawing::label);
    style.setYAxisTickLabelsFormattingFunction(Drawing::label);
    style.setAxisTitleFont(font.deriveFont(Font.BOLD));
    style.setAxisTickLabelsFont(font);
    style.setPlotGridLinesColor(GRID).setAxisTickMarksColor(INK).setAxisTickLabelsColor(INK);
    style.setPlotGridLinesStroke(new BasicStroke(1));
    style.setLegendFont(font).setLegendPosition(LegendPosition.OutsideE);
    style.setLegendBorderColor(Color.WHITE).setLegendSeriesLineLength(40);
    style.setChartTitleFont(font.deriveFont(Font.BOLD, 14)).setChartTitlePadding(14);
    style.setChartFontColor(INK).setChartBackgroundColor(Color.WHITE).setChartPadding(12);
    style.setPlotBackgroundColor(Color.WHITE).setPlotBorderVisible(false);
    style.setPlotMargin(1); // so that the axes meet
    style.setYAxisLabelAlignment(TextAlignment.Right).setAxisTickPadding(8).setMarkerSize(6);
    style.setLocale(Locale.ROOT);
  }

  /** 1 to 10000 as they are, beyond that 1e5, 2.5e6, … */
  static String label(double value) {
    double size = Math.abs(value);
    if (value == 0 || (size >= 1e-3 && size < 1e5)) {
      return new BigDecimal(String.format(Locale.ROOT, "%.4g", value))
          .stripTrailingZeros()
          .toPlainString();
    }
    return String.format(Locale.ROOT, "%.3e", value).replaceAll("\\.?0*e\\+?(-?)0*(\\d)", "e$1$2");
  }
}
