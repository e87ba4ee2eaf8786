package dev.discreet.audit.game;

import dev.discreet.algorithms.matrix.Cholesky;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One way to look at transcripts, learned from some of them: the larger the score, the more like
 * "with the person".
 *
 * @param name what is looked at, in a word or two
 * @param score a function that was fixed before the transcripts that it judges were seen
 */
record Look(String name, ToDoubleFunction<Transcript> score) {
  // Squares and products of so many values at most.
  private static final int MOST_PRODUCTS = 6;

  double[] scores(List<Transcript> transcripts) {
    return transcripts.stream().mapToDouble(score).toArray();
  }

  /** Values along a line, values bent and multiplied, low-order bits, and what comes with them. */
  static List<Look> learned(List<Transcript> with, List<Transcript> without) {
    List<Look> looks = new ArrayList<>();
    int size = with.get(0).values().length;
    boolean sameSize =
        with.stream().allMatch(t -> t.values().length == size)
            && without.stream().allMatch(t -> t.values().length == size);
    if (sameSize && size > 0) {
      looks.add(new Look("value", size == 1 ? only() : line(with, without, t -> t.values())));
      looks.add(new Look("bent values", bent(with, without, size)));
      looks.add(new Look("low bits", lowBits(with, without, size)));
    }
    looks.add(new Look("shape", table(with, without, t -> t.values().length + " " + t.shape())));
    return looks;
  }

  /** The size may differ in a play that is judged, and never in one that taught. */
  private static double value(Transcript transcript, int i) {
    return i < transcript.values().length ? transcript.values()[i] : 0;
  }

  private static ToDoubleFunction<Transcript> only() {
    return transcript -> value(transcript, 0);
  }

  /** Fisher's discriminant: the line along which two equally spread clouds differ most. */
  private static ToDoubleFunction<Transcript> line(
      List<Transcript> with, List<Transcript> without, Function<Transcript, double[]> features) {
    double[][] a = with.stream().map(features).toArray(double[][]::new);
    double[][] b = without.stream().map(features).toArray(double[][]::new);
    int d = a[0].length;
    double[] meanA = mean(a, d);
    double[] meanB = mean(b, d);
    double[][] spread = new double[d][d];
    addSpread(spread, a, meanA);
    addSpread(spread, b, meanB);
    double[] scale = new double[d];
    for (int i = 0; i < d; i++) {
      scale[i] = spread[i][i] > 0 ? 1 / Math.sqrt(spread[i][i]) : 1;
    }
    double[] difference = new double[d];
    for (int i = 0; i < d; i++) {
      difference[i] = (meanA[i] - meanB[i]) * scale[i];
      for (int j = 0; j < d; j++) {
        spread[i][j] *= scale[i] * scale[j];
      }
      // Values that do not scatter at all, or together, are the best to look at.
      spread[i][i] += 1e-12;
    }
    double[] weights = Cholesky.of(spread, 0).map(r -> r.solve(difference)).orElse(difference);
    return transcript -> {
      double[] x = features.apply(transcript);
      double sum = 0;
      for (int i = 0; i < Math.min(d, x.length); i++) {
        sum += weights[i] * scale[i] * (x[i] - meanB[i]);
      }
      return Double.isNaN(sum) ? 0 : sum;
    };
  }

  private static double[] mean(double[][] rows, int d) {
    double[] mean = new double[d];
    for (double[] row : rows) {
      for (int i = 0; i < d; i++) {
        mean[i] += row[i] / rows.length;
      }
    }
    return mean;
  }

  private static void addSpread(double[][] to, double[][] rows, double[] mean) {
    for (double[] row : rows) {
      for (int i = 0; i < mean.length; i++) {
        for (int j = 0; j < mean.length; j++) {
          to[i][j] += (row[i] - mean[i]) * (row[j] - mean[j]) / rows.length;
        }
      }
    }
  }

  /** A line through values, their squares and products, all bent into (−1, 1): heavy tails calm. */
  private static ToDoubleFunction<Transcript> bent(
      List<Transcript> with, List<Transcript> without, int size) {
    int d = Math.min(size, MOST_PRODUCTS);
    double[] middle = new double[d];
    double[] width = new double[d];
    for (int i = 0; i < d; i++) {
      int at = i;
      double[] all =
          Stream.concat(with.stream(), without.stream())
              .mapToDouble(t -> t.values()[at])
              .sorted()
              .toArray();
      middle[i] = all[all.length / 2];
      width[i] = Math.max(1e-300, all[all.length * 3 / 4] - all[all.length / 4]);
    }
    return line(
        with,
        without,
        transcript -> {
          double[] features = new double[d + d * (d + 1) / 2];
          int next = d;
          for (int i = 0; i < d; i++) {
            features[i] = Math.atan((value(transcript, i) - middle[i]) / width[i]);
          }
          for (int i = 0; i < d; i++) {
            for (int j = i; j < d; j++) {
              features[next++] = features[i] * features[j];
            }
          }
          return features;
        });
  }

  /**
   * Where each value's last bit stands, and the last three bits of a grid that one value in twenty
   * is as fine as (Mironov 2012): outputs that one input cannot give, or gives less often. A rare
   * value near zero has far finer bits than the others, and must not hide theirs.
   */
  private static ToDoubleFunction<Transcript> lowBits(
      List<Transcript> with, List<Transcript> without, int size) {
    int d = Math.min(size, 2);
    int[] ends =
        Stream.concat(with.stream(), without.stream())
            .flatMapToDouble(t -> Arrays.stream(t.values(), 0, d))
            .mapToInt(Look::lastBit)
            .sorted()
            .toArray();
    int fine = ends[ends.length / 20];
    return table(
        with,
        without,
        transcript -> {
          StringBuilder key = new StringBuilder();
          for (int i = 0; i < d; i++) {
            double value = value(transcript, i);
            int last = Math.max(-12, Math.min(lastBit(value) - fine, 12));
            double steps = Math.scalb(value, -fine);
            long bits = Double.isFinite(steps) ? (long) (steps - 8 * Math.floor(steps / 8)) : -1;
            key.append(last).append(':').append(bits).append(' ');
          }
          return key.toString();
        });
  }

  /** The exponent of the last bit that is set. */
  private static int lastBit(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return Integer.MAX_VALUE / 2;
    }
    long bits = Double.doubleToRawLongBits(value);
    boolean normal = Math.getExponent(value) >= Double.MIN_EXPONENT;
    long mantissa = (bits & ((1L << 52) - 1)) | (normal ? 1L << 52 : 0);
    return Math.max(Math.getExponent(value), Double.MIN_EXPONENT)
        - 52
        + Long.numberOfTrailingZeros(mantissa);
  }

  /** How much oftener each text was seen with the person than without. */
  private static ToDoubleFunction<Transcript> table(
      List<Transcript> with, List<Transcript> without, Function<Transcript, String> text) {
    Map<String, Integer> a = counts(with, text);
    Map<String, Integer> b = counts(without, text);
    return transcript -> {
      String key = text.apply(transcript);
      return Math.log((a.getOrDefault(key, 0) + 0.5) / (b.getOrDefault(key, 0) + 0.5));
    };
  }

  private static Map<String, Integer> counts(
      List<Transcript> transcripts, Function<Transcript, String> text) {
    Map<String, Integer> counts = new HashMap<>();
    transcripts.forEach(transcript -> counts.merge(text.apply(transcript), 1, Integer::sum));
    return counts;
  }
}
