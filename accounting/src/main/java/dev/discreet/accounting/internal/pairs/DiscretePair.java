package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Finitely many losses: randomised response, the worst ε- or (ε, δ)-private mechanism, a
 * discretised curve.
 */
public final class DiscretePair implements LossPair {
  private final double[] losses;
  private final double infinity;
  private final double minusInfinity;
  private final boolean symmetric;
  private final double[] foldedP;
  private final double[] foldedQ;
  private final double[] logQ;

  /** Losses rise strictly; P's masses and infinity sum to 1, and so do Q's and minus infinity. */
  DiscretePair(
      double[] losses,
      double[] p,
      double[] q,
      double infinity,
      double minusInfinity,
      boolean symmetric) {
    this.losses = losses;
    this.infinity = infinity;
    this.minusInfinity = minusInfinity;
    this.symmetric = symmetric;
    this.foldedP = fold(p, infinity, 0);
    this.foldedQ = fold(q, 0, minusInfinity);
    this.logQ = new double[losses.length];
    // Of q and p·e^−loss the one that does not underflow.
    Arrays.setAll(logQ, i -> losses[i] > 0 ? Math.log(p[i]) - losses[i] : Math.log(q[i]));
  }

  /**
   * The worst (ε, δ)-private mechanism: it reveals all with probability δ, else answers with an
   * ε-private coin.
   */
  public static DiscretePair approximate(double epsilon, double delta) {
    if (epsilon == 0) {
      double[] all = {1 - delta};
      return new DiscretePair(new double[] {0}, all, all, delta, delta, true);
    }
    double up = (1 - delta) / (1 + Math.exp(-epsilon));
    double down = (1 - delta) / (1 + Math.exp(epsilon));
    return symmetric(new double[] {-epsilon, epsilon}, new double[] {down, up}, delta);
  }

  /**
   * Randomised response: the reported category is the true one, the neighbour's or (no loss)
   * another.
   */
  public static DiscretePair response(double truth, int categories) {
    double other = (1 - truth) / (categories - 1);
    double epsilon = Math.abs(Math.log(truth / other));
    double rest = other * (categories - 2);
    double up = Math.max(truth, other);
    double down = Math.min(truth, other);
    if (epsilon == 0) {
      return approximate(0, 0);
    }
    // The rest is what truth and the neighbour's answer leave.
    return rest == 0
        ? symmetric(new double[] {-epsilon, epsilon}, new double[] {down, up}, 0)
        : symmetric(new double[] {-epsilon, 0, epsilon}, new double[] {down, rest, up}, 0);
  }

  /** Q is P turned round. */
  private static DiscretePair symmetric(double[] losses, double[] p, double delta) {
    double[] q = new double[p.length];
    Arrays.setAll(q, i -> p[p.length - 1 - i]);
    return new DiscretePair(losses, p, q, delta, delta, true);
  }

  /** Folded values just at and after each loss; index i is for l in [losses[i−1], losses[i]). */
  private static double[] fold(double[] masses, double above, double below) {
    int n = masses.length;
    double[] tails = new double[n + 1];
    double[] heads = new double[n + 1];
    tails[n] = above;
    heads[0] = below;
    for (int i = n - 1; i >= 0; i--) {
      tails[i] = tails[i + 1] + masses[i];
    }
    for (int i = 0; i < n; i++) {
      heads[i + 1] = heads[i] + masses[i];
    }
    double[] folded = new double[n + 1];
    Arrays.setAll(folded, i -> FoldedProbability.of(tails[i], heads[i]));
    return folded;
  }

  private int place(double l) {
    int at = Arrays.binarySearch(losses, l);
    return at >= 0 ? at + 1 : -at - 1;
  }

  @Override
  public double p(double l) {
    return foldedP[place(l)];
  }

  @Override
  public double q(double l) {
    return foldedQ[place(l)];
  }

  @Override
  public double min() {
    return losses[0];
  }

  @Override
  public double max() {
    return losses[losses.length - 1];
  }

  @Override
  public double infinity() {
    return infinity;
  }

  @Override
  public double minusInfinity() {
    return minusInfinity;
  }

  @Override
  public double[] knots() {
    double[] knots = new double[losses.length + 1];
    knots[0] = losses[0] - 1e-12 * (1 + Math.abs(losses[0]));
    System.arraycopy(losses, 0, knots, 1, losses.length);
    return knots;
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    LogSum sum = new LogSum();
    for (int i = 0; i < losses.length; i++) {
      if (losses[i] > low && losses[i] <= high) {
        sum.add(logF.applyAsDouble(losses[i]) + logQ[i]);
      }
    }
    return sum.log();
  }

  @Override
  public boolean symmetric() {
    return symmetric;
  }
}
