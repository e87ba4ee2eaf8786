package dev.discreet.cli.train;

import dev.discreet.algorithms.geometry.ClippedKernel;
import dev.discreet.algorithms.geometry.ClippingBias;
import dev.discreet.algorithms.geometry.ConvexSet;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.algorithms.geometry.GradientNoise;
import dev.discreet.algorithms.geometry.TangentKernel;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.report.PanelPlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What clipping does to some gradients, as rows of figures.
 *
 * @param kernel null where the rows are private: it is for public ones only
 */
record ClippingGeometry(GradientCloud cloud, TangentKernel kernel, double threshold) {
  private static final int BINS = 20;
  private static final int DRAWN = 2_000;

  /** A line of a table: its name, and its figures by their names. */
  record Row(String name, Map<String, Double> figures) {
    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.putAll(figures);
      return fields;
    }
  }

  /** The kernel under each rule; global clipping at two cut-offs, of which one drops some. */
  List<Row> kernels() {
    if (kernel == null) {
      return List.of();
    }
    double[] norms = Arrays.stream(kernel.gradientNorms()).sorted().toArray();
    double most = norms[norms.length - 1];
    double middle = Math.max(norms[norms.length / 2], Double.MIN_NORMAL);
    ClippingRule flat = new ClippingRule.Flat();
    return List.of(
        row("none", kernel.clipped(new ClippingRule.None(), threshold)),
        row("flat", kernel.clipped(flat, threshold)),
        row("flat by layer", kernel.clippedByLayer(flat, threshold)),
        row("automatic", kernel.clipped(new ClippingRule.Automatic(0.01), threshold)),
        row("psac", kernel.clipped(new ClippingRule.PerSample(0.1), threshold)),
        row("normalised", kernel.clipped(new ClippingRule.Normalised(), threshold)),
        row(
            "global, above all norms",
            kernel.clipped(new ClippingRule.Global(2 * Math.max(most, middle)), threshold)),
        row(
            "global, at the median norm",
            kernel.clipped(new ClippingRule.Global(middle), threshold)));
  }

  private static Row row(String name, ClippedKernel kernel) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("asymmetry", kernel.asymmetry());
    figures.put("leastForm", kernel.leastForm());
    figures.put("leastRealPart", kernel.leastRealPart());
    figures.put("descent", kernel.descent());
    return new Row(name, figures);
  }

  /** The cloud clipped to sets of one reach, so that all would need the same noise. */
  List<Row> sets() {
    int d = cloud.mean().length;
    double[] box = new double[d];
    Arrays.fill(box, threshold / Math.sqrt(d));
    double[] axes = new double[d];
    Arrays.setAll(axes, i -> i % 2 == 0 ? threshold : threshold / 2);
    double[] mean = cloud.mean();
    return List.of(
        row("ball", cloud.clippingBias(new ConvexSet.Ball(threshold), mean)),
        row("box", cloud.clippingBias(new ConvexSet.Box(box), mean)),
        row("ellipsoid", cloud.clippingBias(new ConvexSet.Ellipsoid(axes), mean)),
        row("l1 ball", cloud.clippingBias(new ConvexSet.CrossPolytope(threshold), mean)));
  }

  private static Row row(String name, ClippingBias bias) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("unclipped", bias.unclipped());
    figures.put("alignment", bias.alignment());
    figures.put("symmetricAlignment", bias.symmetric());
    figures.put("bias", bias.bias());
    figures.put("shift", bias.shift());
    return new Row(name, figures);
  }

  /** Gradients (½, 0) with noise of known shapes, clipped to 1: these depend on no data. */
  static List<Row> distributions(long seed) {
    double[] gradient = {0.5, 0};
    Map<String, GradientNoise> shapes = new LinkedHashMap<>();
    shapes.put("gaussian", new GradientNoise.Gaussian(1));
    shapes.put("positively skewed", new GradientNoise.Skewed(1, 0.8, gradient));
    shapes.put("negatively skewed", new GradientNoise.Skewed(1, -0.8, gradient));
    shapes.put(
        "mixture of equals",
        new GradientNoise.Mixture(0.1, new double[][] {{3, 0}, {-3, 0}}, new double[] {0.5, 0.5}));
    shapes.put(
        "mixture, two thirds at -4",
        new GradientNoise.Mixture(
            0.1, new double[][] {{-4, 0}, {8, 0}}, new double[] {2.0 / 3, 1.0 / 3}));
    List<Row> rows = new ArrayList<>();
    shapes.forEach(
        (name, noise) -> {
          GradientCloud drawn = GradientCloud.drawn(gradient, noise, DRAWN, seed);
          Map<String, Double> figures = new LinkedHashMap<>();
          figures.put("symmetry", drawn.symmetryAlong(gradient));
          figures.putAll(row(name, drawn.clippingBias(new ConvexSet.Ball(1), gradient)).figures());
          rows.add(new Row(name, figures));
        });
    return rows;
  }

  GradientCloud.Histogram cosines() {
    return cloud.cosines(BINS);
  }

  /** The histogram of cosines and the cloud from several random sides. */
  PanelPlot picture(String title, int projections, long seed) {
    List<PanelPlot.Panel> panels = new ArrayList<>();
    panels.add(new PanelPlot.Bars("cosine with the mean", cosines().counts(), -1, 1));
    int side = 1;
    for (double[][] points : cloud.projections(projections, seed)) {
      panels.add(new PanelPlot.Dots("random projection " + side++, points));
    }
    return new PanelPlot(title, 3, panels);
  }
}
