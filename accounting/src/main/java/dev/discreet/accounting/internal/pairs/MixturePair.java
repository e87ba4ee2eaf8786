package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A pair drawn from several with public probabilities; each dominates those before it, and the last
 * may reveal all.
 */
final class MixturePair implements LossPair {
  private final double[] weights;
  private final LossPair[] pairs;
  // Asked for at every place of a grid, so found once.
  private final double min;
  private final double max;
  private final double infinity;
  private final double minusInfinity;

  MixturePair(double[] weights, LossPair[] pairs) {
    this.weights = weights;
    this.pairs = pairs;
    min = Arrays.stream(pairs).mapToDouble(LossPair::min).min().orElseThrow();
    max = Arrays.stream(pairs).mapToDouble(LossPair::max).max().orElseThrow();
    infinity = average(LossPair::infinity);
    minusInfinity = average(LossPair::minusInfinity);
  }

  double[] weights() {
    return weights;
  }

  LossPair[] pairs() {
    return pairs;
  }

  @Override
  public double p(double l) {
    return mixed(pair -> pair.p(l));
  }

  @Override
  public double q(double l) {
    return mixed(pair -> pair.q(l));
  }

  private double mixed(ToDoubleFunction<LossPair> law) {
    double tail = 0;
    double head = 0;
    for (int i = 0; i < pairs.length; i++) {
      double folded = law.applyAsDouble(pairs[i]);
      tail += weights[i] * FoldedProbability.tail(folded);
      head += weights[i] * FoldedProbability.head(folded);
    }
    return FoldedProbability.of(tail, head);
  }

  @Override
  public double min() {
    return min;
  }

  @Override
  public double max() {
    return max;
  }

  @Override
  public double infinity() {
    return infinity;
  }

  @Override
  public double minusInfinity() {
    return minusInfinity;
  }

  private double average(ToDoubleFunction<LossPair> value) {
    return IntStream.range(0, pairs.length)
        .mapToDouble(i -> weights[i] * value.applyAsDouble(pairs[i]))
        .sum();
  }

  @Override
  public double[] knots() {
    int stride = Math.max(1, pairs.length / 6);
    return IntStream.range(0, pairs.length)
        .filter(i -> i % stride == 0 || i == pairs.length - 1)
        .mapToObj(i -> pairs[i])
        .flatMapToDouble(pair -> Arrays.stream(pair.knots()))
        .sorted()
        .distinct()
        .toArray();
  }

  @Override
  public double logExpectQ(DoubleUnaryOperator logF, double order, double low, double high) {
    LogSum sum = new LogSum();
    for (int i = 0; i < pairs.length; i++) {
      sum.add(pairs[i].logExpectQ(logF, order, low, high), weights[i]);
    }
    return sum.log();
  }

  /** Treats the last components, as far as their weights go, as the very last. */
  @Override
  public LossPair truncated(double mass) {
    int last = pairs.length - 1;
    int kept = last;
    double moved = weights[last];
    while (kept > 1 && moved + weights[kept - 1] <= mass) {
      moved += weights[--kept];
    }
    double[] shorter = Arrays.copyOf(weights, kept + 1);
    LossPair[] fewer = Arrays.copyOf(pairs, kept + 1);
    shorter[kept] = moved;
    fewer[kept] = pairs[last];
    return new MixturePair(shorter, fewer);
  }

  @Override
  public int cost() {
    return pairs.length;
  }

  @Override
  public boolean symmetric() {
    return Arrays.stream(pairs).allMatch(LossPair::symmetric);
  }
}
