package dev.discreet.accounting.pairs;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Finitely many losses: randomised response, the worst ε- or (ε, δ)-private mechanism, a
 * discretised curve.
 */
public final class DiscretePair implements LossPair {
  private final double[] losses;
  private final double[] masses;
  private final double infinity;
  private final double minusInfinity;
  private final boolean symmetric;
  private final double[] foldedP;
  private final double[] foldedQ;

  /**
   * {@code masses} are P's; Q's are masses·e^−loss. Losses rise strictly; masses and infinity sum
   * to 1.
   */
  DiscretePair(
      double[] losses, double[] masses, double infinity, double minusInfinity, boolean symmetric) {
    this.losses = losses;
    this.masses = masses;
    this.infinity = infinity;
    this.minusInfinity = minusInfinity;
    this.symmetric = symmetric;
    this.foldedP = fold(l -> 1, infinity, 0);
    this.foldedQ = fold(l -> Math.exp(-l), 0, minusInfinity);
  }

  /**
   * The worst (ε, δ)-private mechanism: it reveals all with probability δ, else answers with an
   * ε-private coin.
   */
  static DiscretePair approximate(double epsilon, double delta) {
    if (epsilon == 0) {
      return new DiscretePair(new double[] {0}, new double[] {1 - delta}, delta, delta, true);
    }
    double up = (1 - delta) / (1 + Math.exp(-epsilon));
    double down = (1 - delta) / (1 + Math.exp(epsilon));
    return new DiscretePair(
        new double[] {-epsilon, epsilon}, new double[] {down, up}, delta, delta, true);
  }

  /**
   * Randomised response: the reported category is the true one, the neighbour's or (no loss)
   * another.
   */
  static DiscretePair response(double truth, int categories) {
    double other = (1 - truth) / (categories - 1);
    double epsilon = Math.abs(Math.log(truth / other));
    double rest = other * (categories - 2);
    double up = Math.max(truth, other);
    double down = Math.min(truth, other);
    if (epsilon == 0) {
      return approximate(0, 0);
    }
    return rest == 0
        ? new DiscretePair(new double[] {-epsilon, epsilon}, new double[] {down, up}, 0, 0, true)
        : new DiscretePair(
            new double[] {-epsilon, 0, epsilon}, new double[] {down, rest, up}, 0, 0, true);
  }

  /** Folded values just at and after each loss; index i is for l in [losses[i−1], losses[i]). */
  private double[] fold(DoubleUnaryOperator weight, double above, double below) {
    int n = losses.length;
    double[] tails = new double[n + 1];
    double[] heads = new double[n + 1];
    tails[n] = above;
    heads[0] = below;
    for (int i = n - 1; i >= 0; i--) {
      tails[i] = tails[i + 1] + masses[i] * weight.applyAsDouble(losses[i]);
    }
    for (int i = 0; i < n; i++) {
      heads[i + 1] = heads[i] + masses[i] * weight.applyAsDouble(losses[i]);
    }
    double[] folded = new double[n + 1];
    Arrays.setAll(folded, i -> Folded.of(tails[i], heads[i]));
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
        sum.add(logF.applyAsDouble(losses[i]) - losses[i], masses[i]);
      }
    }
    return sum.log();
  }

  @Override
  public boolean symmetric() {
    return symmetric;
  }
}
