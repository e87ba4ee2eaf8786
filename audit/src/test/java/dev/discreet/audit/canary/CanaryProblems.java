package dev.discreet.audit.canary;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Rows of a linear model, whose gradients need no engine to know: (prediction − target)·x. A target
 * of ±1e3 is out of reach, so such a row's gradient is as long as clipping lets it be, along ∓x.
 */
final class CanaryProblems {
  /** No multiple of a vector's length, so that loops have a rest. */
  static final int FEATURES = 11;

  /** The canary's own feature: the last, in the rest of the loops. */
  static final int OWN = FEATURES - 1;

  static final float FAR = 1e3f;
  static final Network LINEAR = Network.parse("dense(1,bias=false) loss=squared");

  private CanaryProblems() {}

  /** A row. */
  record Row(float[] input, float target) {}

  /** Zero features: its gradient is zero whatever the parameters are. */
  static Row quiet() {
    return new Row(new float[FEATURES], 0);
  }

  static List<Row> quiet(int number) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      rows.add(quiet());
    }
    return rows;
  }

  /** Rows with gradients in the features 0 to 3 only. */
  static List<Row> ordinary(int number) {
    SplittableRandom random = new SplittableRandom(7);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      float[] input = new float[FEATURES];
      for (int j = 0; j < 4; j++) {
        input[j] = (float) (2 * random.nextDouble() - 1);
      }
      rows.add(new Row(input, (float) (6 * random.nextDouble() - 3)));
    }
    return rows;
  }

  /** One that only the own feature has, and whose sums it moves up or down. */
  static Row extreme(boolean up) {
    return scaled(1, up ? -FAR : FAR);
  }

  static Row scaled(float value, float target) {
    float[] input = new float[FEATURES];
    input[OWN] = value;
    return new Row(input, target);
  }

  static Row unusable() {
    float[] input = new float[FEATURES];
    input[OWN] = Float.NaN;
    return new Row(input, FAR);
  }

  static List<Row> with(List<Row> rows, int at, Row... more) {
    List<Row> all = new ArrayList<>(rows);
    all.addAll(at, List.of(more));
    return all;
  }

  static Examples examples(List<Row> rows) {
    float[] inputs = new float[rows.size() * FEATURES];
    float[] targets = new float[rows.size()];
    for (int i = 0; i < targets.length; i++) {
      System.arraycopy(rows.get(i).input(), 0, inputs, i * FEATURES, FEATURES);
      targets[i] = rows.get(i).target();
    }
    return Examples.of(Shape.vector(FEATURES), inputs, 1, targets);
  }

  static LocalData each(List<Row> rows) {
    return PrivateData.each(examples(rows));
  }

  static LocalData owned(List<Row> rows, long... owners) {
    return PrivateData.of(examples(rows), Units.byOwner(owners));
  }

  /**
   * Scores of a canary that moves the own feature up, where nobody has the features 4 to 9: its
   * coordinate; how far that is from an empty one; how much there is in empty ones.
   *
   * @param threshold C
   */
  static CanaryGame.Scores own(double threshold) {
    return (theta, sum) -> {
      double empty = 0;
      for (int i = 4; i < OWN; i++) {
        empty += sum[i] * sum[i];
      }
      return new double[] {
        sum[OWN] / threshold, Math.abs(sum[OWN] - sum[OWN - 1]) / threshold, empty
      };
    };
  }
}
