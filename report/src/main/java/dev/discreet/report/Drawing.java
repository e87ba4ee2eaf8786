package dev.discreet.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A {@link LinePlot} as PNG, through XChart. */
final class Drawing {
  static final int WIDTH = 1000;
  static final int HEIGHT = 600;

  /** Pixels a unit in PNG, so that it is sharp on dense screens. */
  static final int SCALE = 2;

  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS,
          SeriesMarkers.PLUS);
  private final LinePlot plot;
  private final PlotStyle places;

  Drawing(LinePlot plot) {
    this.plot = plot;
    this.places = new PlotStyle(plot);
  }

  void write(OutputStream out) throws IOException {
    BufferedImage image =
        new BufferedImage(SCALE * WIDTH, SCALE * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(SCALE, SCALE);
    chart().paint(graphics, WIDTH, HEIGHT);
    graphics.dispose();
    ImageIO.write(image, "png", out);
  }

  private XYChart chart() {
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
      List<LinePlot.Point> points = places.of(line);
      if (!points.isEmpty()) {
        add(chart, line, points, index);
      }
      index++;
    }
    return chart;
  }

  private static void add(
      XYChart chart, LinePlot.Line line, List<LinePlot.Point> points, int index) {
    double[] x = points.stream().mapToDouble(LinePlot.Point::x).toArray();
    double[] y = points.stream().mapToDouble(LinePlot.Point::y).toArray();
    XYSeries series = chart.addSeries(line.name(), x, y);
    Color colour = PlotStyle.COLOURS.get(index % PlotStyle.COLOURS.size());
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
    style.setXAxisLogarithmic(places.xLogarithmic).setYAxisLogarithmic(places.yLogarithmic);
    style.setXAxisTickLabelsFormattingFunction(Axis::label);
    style.setYAxisTickLabelsFormattingFunction(Axis::label);
    style.setAxisTitleFont(font.deriveFont(Font.BOLD));
    style.setAxisTickLabelsFont(font);
    style
        .setPlotGridLinesColor(PlotStyle.GRID)
        .setAxisTickMarksColor(PlotStyle.INK)
        .setAxisTickLabelsColor(PlotStyle.INK);
    style.setPlotGridLinesStroke(new BasicStroke(1));
    style.setLegendFont(font).setLegendPosition(LegendPosition.OutsideE);
    style.setLegendBorderColor(Color.WHITE).setLegendSeriesLineLength(40);
    style.setChartTitleFont(font.deriveFont(Font.BOLD, 14)).setChartTitlePadding(14);
    style.setChartFontColor(PlotStyle.INK).setChartBackgroundColor(Color.WHITE).setChartPadding(12);
    style.setPlotBackgroundColor(Color.WHITE).setPlotBorderVisible(false);
    style.setPlotMargin(1); // so that the axes meet
    style.setYAxisLabelAlignment(TextAlignment.Right).setAxisTickPadding(8).setMarkerSize(6);
    style.setLocale(Locale.ROOT);
  }
}
