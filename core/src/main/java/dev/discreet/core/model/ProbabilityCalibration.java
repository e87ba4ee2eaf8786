package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Probabilities of a model brought in line with public rows. Of two classes the log-odds are scaled
 * and moved (Platt 1999, with his targets a little inside 0 and 1); of more classes all outputs are
 * scaled by one temperature (Guo et al. 2017). It is post-processing of the model, and depends on
 * those rows as they are: so only rows that are public may be used.
 *
 * @param scale of the outputs, which is 1 / temperature
 * @param shift of the log-odds of the second of two classes; 0 for more classes
 * @param rows how many it was fitted to
 */
public record ProbabilityCalibration(double scale, double shift, int rows) {
  private static final int BATCH = 1000;
  private static final int MOST_STEPS = 100;
  private static final double CLOSE = 1e-10;

  /**
   * Fits scale and shift by the likelihood of the rows.
   *
   * @param model refused unless it gives probabilities of classes out of a dense layer
   * @param rows public ones
   */
  public static ProbabilityCalibration fit(Engine engine, Model model, Examples rows) {
    Layout layout = model.layout();
    Loss loss = layout.network().loss();
    boolean probabilities =
        model.task() instanceof Task.Classes
            && (loss.link() == Loss.Link.SOFTMAX
                || loss.link() == Loss.Link.LOGISTIC && layout.outputs() == 1);
    Check.that(probabilities, "model to calibrate", "one of probabilities that add up to 1", loss);
    Layer.Dense last = last(layout);
    int size = rows.size();
    int[] labels = new int[size];
    double[][] outputs = new double[size][layout.outputs()];
    float[] target = new float[rows.targets()];
    try (PublicGradients gradients = engine.open(layout, rows)) {
      for (int from = 0; from < size; from += BATCH) {
        int start = from;
        int[] batch = new int[Math.min(BATCH, size - from)];
        Arrays.setAll(batch, i -> start + i);
        float[] predicted = gradients.predict(model.parameters(), batch);
        for (int i = 0; i < batch.length; i++) {
          int at = i * layout.outputs();
          Arrays.setAll(outputs[batch[i]], k -> predicted[at + k]);
          rows.target(batch[i], target, 0);
          labels[batch[i]] = Math.round(target[0]);
        }
      }
    }
    return layout.outputs() <= 2
        ? platt(logOdds(outputs), labels, last.bias())
        : temperature(outputs, labels);
  }

  private static double[] logOdds(double[][] outputs) {
    return Arrays.stream(outputs).mapToDouble(o -> o.length == 1 ? o[0] : o[1] - o[0]).toArray();
  }

  /** The last layer, whose outputs are linear in its parameters. */
  private static Layer.Dense last(Layout layout) {
    List<Layer> layers = layout.network().layers();
    Layer last = layers.get(layers.size() - 1);
    Check.that(last instanceof Layer.Dense, "last layer of a model to calibrate", "dense", last);
    return (Layer.Dense) last;
  }

  /** Newton's method on a convex loss of two numbers. */
  static ProbabilityCalibration platt(double[] logOdds, int[] labels, boolean moves) {
    int n = labels.length;
    int second = Arrays.stream(labels).sum();
    Check.that(
        second > 0 && second < n,
        "rows to calibrate on",
        "of both classes",
        second + " of the second");
    double[] targets = {1.0 / (n - second + 2), (second + 1.0) / (second + 2)};
    double a = 1;
    double b = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] slope = new double[2];
      double[] curve = new double[3];
      for (int i = 0; i < n; i++) {
        double z = logOdds[i];
        double p = 1 / (1 + Math.exp(-a * z - b));
        double away = p - targets[labels[i]];
        double width = p * (1 - p);
        slope[0] += away * z / n;
        slope[1] += away / n;
        curve[0] += width * z * z / n;
        curve[1] += width * z / n;
        curve[2] += width / n;
      }
      double determinant = moves ? curve[0] * curve[2] - curve[1] * curve[1] : curve[0];
      double da = moves ? (curve[2] * slope[0] - curve[1] * slope[1]) : slope[0];
      double db = moves ? (curve[0] * slope[1] - curve[1] * slope[0]) : 0;
      da /= Math.max(determinant, 1e-300);
      db /= Math.max(determinant, 1e-300);
      double length = 1;
      double now = value(logOdds, labels, targets, a, b);
      while (value(logOdds, labels, targets, a - length * da, b - length * db) > now
          && length > 1e-12) {
        length /= 2;
      }
      a -= length * da;
      b -= length * db;
      if (Math.abs(length * da) < CLOSE && Math.abs(length * db) < CLOSE) {
        break;
      }
    }
    return checked(a, b, n);
  }

  private static double value(
      double[] logOdds, int[] labels, double[] targets, double a, double b) {
    double sum = 0;
    for (int i = 0; i < labels.length; i++) {
      double z = a * logOdds[i] + b;
      sum += Math.max(z, 0) - z * targets[labels[i]] + Math.log1p(Math.exp(-Math.abs(z)));
    }
    return sum / labels.length;
  }

  /** Bisection on the slope of a convex loss of one number. */
  static ProbabilityCalibration temperature(double[][] outputs, int[] labels) {
    double low = 1e-3;
    double high = 1e3;
    while (high / low > 1 + CLOSE) {
      double middle = Math.sqrt(low * high);
      if (slope(outputs, labels, middle) > 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return checked(low > 1.001e-3 ? low : 0, 0, labels.length);
  }

  private static double slope(double[][] outputs, int[] labels, double scale) {
    Loss softmax = new Loss.SoftmaxCrossEntropy();
    double sum = 0;
    for (int i = 0; i < labels.length; i++) {
      double[] of = outputs[i];
      double[] by = new double[of.length];
      softmax.value(Arrays.stream(of).map(z -> scale * z).toArray(), new double[] {labels[i]}, by);
      for (int k = 0; k < of.length; k++) {
        sum += by[k] * of[k];
      }
    }
    return sum;
  }

  private static ProbabilityCalibration checked(double a, double b, int rows) {
    boolean found = a > 0 && Double.isFinite(a) && Double.isFinite(b);
    Check.that(
        found,
        "scale of a calibration",
        "greater than 0, which takes a model that does better than chance on these rows",
        a);
    return new ProbabilityCalibration(a, b, rows);
  }

  /**
   * The model with these probabilities: its last layer is scaled and moved, so that whatever reads
   * the model, an ONNX file too, has them.
   */
  public Model applied(Model model) {
    Layout layout = model.layout();
    Layer.Dense last = last(layout);
    float[] parameters = model.parameters();
    List<Layout.Slice> slices = layout.nodes().get(layout.nodes().size() - 1).slices();
    for (Layout.Slice slice : slices) {
      for (int i = slice.offset(); i < slice.end(); i++) {
        parameters[i] = (float) (scale * parameters[i]);
      }
    }
    if (last.bias() && shift != 0) {
      int second = slices.get(1).end() - 1;
      parameters[second] = (float) (parameters[second] + shift);
    }
    return new Model(layout, parameters, model.promise(), model.use());
  }

  /**
   * As {@code model.json} has it.
   *
   * @param of what the rows are called
   */
  public Map<String, Object> fields(String of) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("scale", scale);
    fields.put("shift", shift);
    fields.put("rows", rows);
    fields.put("of", of);
    return fields;
  }
}
