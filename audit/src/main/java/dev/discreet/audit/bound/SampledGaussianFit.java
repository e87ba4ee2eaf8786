package dev.discreet.audit.bound;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.math.Normal;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * The largest μ for which scores refute that a release is a Gaussian of that μ, made with
 * probability q of the person and else without (Nasr et al. 2023). Whoever tests for the person in
 * such a release reaches at most TPR = (1 − q)·FPR + q·Φ(Φ⁻¹(FPR) + μ), so one cut of any scores
 * gives a bound on μ. With q = 1 it is {@link GaussianFit} for one order of the neighbours.
 *
 * <p><b>What is assumed.</b> That q is as stated, that the scores "with" come from data with the
 * person, and nothing else: the bound on μ holds for any scores. Composing it over the steps of a
 * run assumes that the mechanism <em>is</em> of this form.
 *
 * @param mu the release is not of this form for any μ′ below this; 0 proves nothing
 * @param errorRate the chance that {@code mu} is too large
 * @param counts the guesses that prove it
 */
public record SampledGaussianFit(double mu, double errorRate, GuessCounts counts) {
  // Of every four scores one chooses the cut, and the others count.
  private static final int CHOOSES = 4;
  private static final int CUTS = 200;

  /**
   * Of scores, with the best cut.
   *
   * @param rate q, how likely the person is in a lot
   */
  public static SampledGaussianFit of(
      double[] with, double[] without, double rate, double errorRate) {
    Check.that(rate > 0 && rate <= 1, "sampling rate", "in (0, 1]", rate);
    Check.that(
        with.length >= CHOOSES && without.length >= CHOOSES,
        "scores",
        "at least " + CHOOSES + " of each",
        with.length + " and " + without.length);
    double[] chooseWith = part(with, true);
    double[] chooseWithout = part(without, true);
    double best = Double.NEGATIVE_INFINITY;
    double cut = chooseWithout[chooseWithout.length / 2];
    for (int i = 1; i < CUTS; i++) {
      double tried = chooseWithout[(int) ((long) i * chooseWithout.length / CUTS)];
      double found = mu(counts(chooseWith, chooseWithout, tried), rate, errorRate);
      if (found > best) {
        best = found;
        cut = tried;
      }
    }
    GuessCounts counts = counts(part(with, false), part(without, false), cut);
    return new SampledGaussianFit(Math.max(0, mu(counts, rate, errorRate)), errorRate, counts);
  }

  /**
   * Of the mean likelihood ratio of all scores: proves more than a cut does from the same scores,
   * and assumes that those "without" are normal, as sums with Gaussian noise are. A score of 1 is
   * to mean that the person is in the lot, and 0 that it is not.
   *
   * @param rate q, how likely the person is in a lot
   */
  public static double muByMeans(double[] with, double[] without, double rate, double errorRate) {
    Check.that(rate > 0 && rate <= 1, "sampling rate", "in (0, 1]", rate);
    double middle = Arrays.stream(without).average().orElseThrow();
    double deviation =
        Math.sqrt(
            Arrays.stream(without).map(s -> (s - middle) * (s - middle)).average().orElseThrow());
    // The ratio is the sharpest where this is the true μ, and as good a score where it is not.
    double guess = Math.min(8, 1 / deviation);
    DoubleUnaryOperator ratio =
        z -> Math.log(1 - rate + rate * Math.exp(guess * z - guess * guess / 2));
    double[] in =
        Arrays.stream(with).map(s -> ratio.applyAsDouble((s - middle) / deviation)).toArray();
    double[] out =
        Arrays.stream(without).map(s -> ratio.applyAsDouble((s - middle) / deviation)).toArray();
    // Half of the error is for the means, half for the deviation that they are measured in.
    double away = Normal.tailQuantile(errorRate / 2);
    double sure =
        mean(in)
            - mean(out)
            - away * Math.sqrt(variance(in) / in.length + variance(out) / out.length);
    double low = 0;
    double high = 40;
    double blind = expected(ratio, 0);
    for (int i = 0; i < 60; i++) {
      double tried = (low + high) / 2;
      if (rate * (expected(ratio, tried) - blind) <= sure) {
        low = tried;
      } else {
        high = tried;
      }
    }
    return low * Math.max(0, 1 - away / Math.sqrt(2.0 * without.length));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
  }

  /** The mean of a function of N(mu, 1). */
  private static double expected(DoubleUnaryOperator function, double mu) {
    double sum = 0;
    double step = 1.0 / 64;
    for (double z = -9; z <= 9; z += step) {
      sum += step * Math.exp(Normal.logDensity(z)) * function.applyAsDouble(mu + z);
    }
    return sum;
  }

  private static double mu(GuessCounts counts, double rate, double errorRate) {
    double falsePositives = counts.mostFalsePositiveRate(errorRate / 2);
    // How often a lot that has the person must look so, by what those without it leave over.
    double drawn =
        (counts.leastTruePositiveRate(errorRate / 2) - (1 - rate) * falsePositives) / rate;
    if (drawn <= 0 || falsePositives >= 1) {
      return Double.NEGATIVE_INFINITY;
    }
    return drawn >= 1
        ? Double.POSITIVE_INFINITY
        : Normal.tailQuantile(falsePositives) - Normal.tailQuantile(drawn);
  }

  private static GuessCounts counts(double[] with, double[] without, double cut) {
    return new GuessCounts(above(with, cut), with.length, above(without, cut), without.length);
  }

  private static long above(double[] scores, double cut) {
    return Arrays.stream(scores).filter(score -> score > cut).count();
  }

  private static double[] part(double[] scores, boolean choosing) {
    double[] part = new double[scores.length];
    int size = 0;
    for (int i = 0; i < scores.length; i++) {
      if ((i % CHOOSES == 0) == choosing) {
        part[size++] = scores[i];
      }
    }
    double[] kept = Arrays.copyOf(part, size);
    Arrays.sort(kept);
    return kept;
  }
}
