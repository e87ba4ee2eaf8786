package dev.discreet.core.engine.reference;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The oracle: double precision, one example at a time, every layer from its definition. Tests hold
 * the fast engines against it; nobody trains with it.
 */
public final class ReferenceEngine implements PublicGradients {
  private final Layout layout;
  private final Examples examples;
  private final ReferenceLayer network;
  private final Augmentation augmentation;

  public ReferenceEngine(Layout layout, Examples examples) {
    this(layout, examples, Augmentation.NONE);
  }

  /** With the views that a gradient sum of chosen ones is taken over. */
  ReferenceEngine(Layout layout, Examples examples, Augmentation augmentation) {
    this.augmentation = augmentation;
    Check.that(
        examples.input().equals(layout.input()),
        "input of the examples",
        "the network's " + layout.input(),
        examples.input());
    this.layout = layout;
    this.examples = examples;
    this.network = new Chain(layout.nodes());
  }

  @Override
  public void gradientSum(float[] parameters, int[] chosen, double[] sum) {
    Point at = Point.whole(doubles(layout.check(parameters)));
    Arrays.fill(sum, 0);
    for (int example : chosen) {
      addGradient(at, example, sum);
    }
  }

  @Override
  public void gradientSum(float[] parameters, int[] chosen, long[] choices, double[] sum) {
    Point at = Point.whole(doubles(layout.check(parameters)));
    Arrays.fill(sum, 0);
    for (int i = 0; i < chosen.length; i++) {
      for (int v = 0; v < augmentation.views(); v++) {
        double[] view = view(augmentation, choices[i], 0, v, chosen[i]);
        inputGradient(at, view, target(chosen[i]), sum);
      }
    }
    for (int p = 0; p < sum.length; p++) {
      sum[p] /= augmentation.views();
    }
  }

  @Override
  public float[][] perExampleGradients(float[] parameters, int[] chosen) {
    float[][] rows = new float[chosen.length][];
    for (int i = 0; i < chosen.length; i++) {
      rows[i] = floats(gradient(parameters, chosen[i]));
    }
    return rows;
  }

  /** The gradient of one example with dropout off, unrounded. */
  public double[] gradient(float[] parameters, int example) {
    double[] gradient = new double[layout.parameters()];
    addGradient(Point.whole(doubles(layout.check(parameters))), example, gradient);
    return gradient;
  }

  @Override
  public float[] predict(float[] parameters, int[] chosen) {
    Point at = Point.whole(doubles(layout.check(parameters)));
    float[] outputs = new float[chosen.length * layout.outputs()];
    for (int i = 0; i < chosen.length; i++) {
      float[] output = floats(network.forward(at, input(chosen[i])));
      System.arraycopy(output, 0, outputs, i * output.length, output.length);
    }
    return outputs;
  }

  @Override
  public double[] directionalDerivatives(float[] parameters, int[] chosen, float[] direction) {
    Point at = Point.whole(doubles(layout.check(parameters)));
    double[] v = doubles(layout.check(direction));
    return Arrays.stream(chosen)
        .mapToDouble(example -> directional(at, input(example), target(example), v))
        .toArray();
  }

  /** ⟨gradient of the loss, v⟩ by forward mode. */
  double directional(Point at, double[] input, double[] target, double[] v) {
    double[] output = network.forward(at, input);
    double[] slope = new double[output.length];
    layout.network().loss().value(output, target, slope);
    double[] moved = network.tangent(at, input, v, new double[input.length]);
    double sum = 0;
    for (int i = 0; i < slope.length; i++) {
      sum += slope[i] * moved[i];
    }
    return sum;
  }

  @Override
  public double loss(float[] parameters, int[] chosen) {
    Point at = Point.whole(doubles(layout.check(parameters)));
    double sum = 0;
    for (int example : chosen) {
      sum += loss(at, input(example), target(example));
    }
    return sum / chosen.length;
  }

  /**
   * The clipped sum of a lot in double precision, nothing rounded: what a {@link
   * dev.discreet.core.engine.GradientSource} approximates.
   *
   * @param lot indices of units
   */
  public ExactSum exactSum(UnitRule rule, Units units, int[] lot, StepRequest request) {
    Check.that(
        request.thresholds().length == rule.groups(),
        "thresholds",
        "one for each of " + rule.groups() + " clipping groups",
        request.thresholds().length);
    Optional<ClippingRule.Estimated> estimated = rule.clipping().estimated();
    double[][] directions = directions(rule, request);
    double[] sum = new double[layout.parameters()];
    double[][] norms = new double[lot.length][];
    double[][] factors = new double[lot.length][rule.groups()];
    long[] counts = new long[rule.groups()];
    int refused = 0;
    for (int i = 0; i < lot.length; i++) {
      int usable = usable(units, lot[i]).length;
      double[] gradient = unitGradient(rule, units, lot[i], request);
      norms[i] = norms(rule, gradient);
      boolean finite = Arrays.stream(norms[i]).allMatch(Double::isFinite);
      refused += usable < units.size(lot[i]) || !finite ? 1 : 0;
      if (usable == 0 || !finite) {
        continue;
      }
      for (int g = 0; g < rule.groups(); g++) {
        double threshold = request.thresholds()[g] * Grid.SHRINK;
        factors[i][g] =
            estimated.isPresent()
                ? estimated
                    .get()
                    .factor(estimate(units, lot[i], request, directions), norms[i][g], threshold)
                : rule.clipping().factor(norms[i][g], threshold);
        counts[g] += UnitRule.count(norms[i][g], threshold);
      }
      List<Slice> slices = layout.slices();
      for (int s = 0; s < slices.size(); s++) {
        if (rule.group()[s] >= 0) {
          for (int p = slices.get(s).offset(); p < slices.get(s).end(); p++) {
            sum[p] += factors[i][rule.group()[s]] * gradient[p];
          }
        }
      }
    }
    return new ExactSum(sum, norms, factors, refused, counts);
  }

  /** The directions of an estimate of norms, 0 at frozen places; none for exact norms. */
  private double[][] directions(UnitRule rule, StepRequest request) {
    int projections =
        rule.clipping().estimated().map(ClippingRule.Estimated::projections).orElse(0);
    double[][] directions = new double[projections][];
    for (int j = 0; j < directions.length; j++) {
      float[] v = new float[layout.parameters()];
      request.key().direction(request.release(), j, v);
      for (int s = 0; s < rule.group().length; s++) {
        if (rule.group()[s] < 0) {
          Arrays.fill(v, layout.slices().get(s).offset(), layout.slices().get(s).end(), 0);
        }
      }
      directions[j] = doubles(v);
    }
    return directions;
  }

  /** √(Σ⟨g, v⟩²/r) of a unit of one example that can be used, by forward mode. */
  private double estimate(Units units, int unit, StepRequest request, double[][] directions) {
    double sum = 0;
    for (int j = 0; j < directions.length; j++) {
      long choice = request.key().choices(request.release(), units, new int[] {unit})[0];
      int example = units.example(unit, 0);
      Point at = new Point(doubles(request.parameters()), true, choice, 0);
      double p = directional(at, input(example), target(example), directions[j]);
      sum += p * p / directions.length;
    }
    return Math.sqrt(sum);
  }

  /**
   * The gradient of one unit before clipping: the sum over its examples of the mean over the views
   * of each, or the mean over examples where the rule averages, dropout drawn, and once λθ where
   * the rule decays, and the noise before clipping; 0 at frozen places, and for a unit without
   * examples that can be used.
   */
  public double[] unitGradient(UnitRule rule, Units units, int unit, StepRequest request) {
    double[] theta = doubles(layout.check(request.parameters()));
    double[] gradient = new double[layout.parameters()];
    int[] usable = usable(units, unit);
    if (usable.length == 0) {
      return gradient;
    }
    long choice = request.key().choices(request.release(), units, new int[] {unit})[0];
    int views = rule.augmentation().views();
    for (int i : usable) {
      for (int v = 0; v < views; v++) {
        Point at = new Point(theta, true, choice, i * views + v);
        int example = units.example(unit, i);
        double[] view = view(rule.augmentation(), choice, i, v, example);
        inputGradient(at, view, target(example), gradient);
      }
    }
    double size = views * (rule.averaged() ? units.size(unit) : 1.0);
    for (int p = 0; p < gradient.length; p++) {
      gradient[p] /= size;
    }
    double noise = request.noiseBeforeClipping();
    SplittableRandom dice = new SplittableRandom(choice);
    List<Slice> slices = layout.slices();
    for (int s = 0; s < slices.size(); s++) {
      for (int p = slices.get(s).offset(); p < slices.get(s).end(); p++) {
        if (rule.group()[s] < 0) {
          gradient[p] = 0;
        } else {
          gradient[p] += rule.decayed()[s] ? rule.decay() * theta[p] : 0;
          gradient[p] += noise > 0 ? noise * dice.nextGaussian() : 0;
        }
      }
    }
    return gradient;
  }

  /** Which of a unit's examples count. */
  private int[] usable(Units units, int unit) {
    ExampleReader reader = new ExampleReader(layout, examples);
    float[] input = new float[layout.input().size()];
    return IntStream.range(0, units.size(unit))
        .filter(i -> reader.read(units.example(unit, i), input, 0))
        .toArray();
  }

  /** The Euclidean norm of each clipping group's part. */
  private double[] norms(UnitRule rule, double[] gradient) {
    double[] norms = new double[rule.groups()];
    List<Slice> slices = layout.slices();
    for (int s = 0; s < slices.size(); s++) {
      for (int p = slices.get(s).offset(); p < slices.get(s).end(); p++) {
        if (rule.group()[s] >= 0) {
          norms[rule.group()[s]] += gradient[p] * gradient[p];
        }
      }
    }
    return Arrays.stream(norms).map(Math::sqrt).toArray();
  }

  private void addGradient(Point at, int example, double[] gradient) {
    inputGradient(at, input(example), target(example), gradient);
  }

  /** Adds to the gradient and returns the derivative of the loss by the input. */
  double[] inputGradient(Point at, double[] input, double[] target, double[] gradient) {
    double[] output = network.forward(at, input);
    double[] d = new double[output.length];
    layout.network().loss().value(output, target, d);
    return network.backward(at, input, d, gradient);
  }

  double loss(Point at, double[] input, double[] target) {
    double[] output = network.forward(at, input);
    return layout.network().loss().value(output, target, new double[output.length]);
  }

  private double[] view(
      Augmentation augmentation, long choice, int ordinal, int view, int example) {
    float[] values = new float[layout.input().size()];
    examples.input(example, values, 0);
    float[] seen = new float[values.length];
    augmentation.view(choice, ordinal, view, layout.input(), values, seen, 0);
    return doubles(seen);
  }

  private double[] input(int example) {
    float[] values = new float[layout.input().size()];
    examples.input(example, values, 0);
    return doubles(values);
  }

  private double[] target(int example) {
    float[] values = new float[examples.targets()];
    examples.target(example, values, 0);
    return doubles(values);
  }

  private static double[] doubles(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  @Override
  public void close() {}
}
