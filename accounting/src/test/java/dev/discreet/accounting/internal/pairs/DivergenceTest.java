package dev.discreet.accounting.internal.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.RenyiCurve;
import dev.discreet.accounting.MechanismPairs;
import dev.discreet.accounting.Neighbouring;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The divergence curves δ(ε) = P(L > ε) − e^ε·Q(L > ε) of the pairs, at any sign of ε. */
public class DivergenceTest {
  private static final double[] EPSILONS = {-3, -1, -0.3, -0.01, 0, 0.01, 0.2, 0.5, 1, 2, 4};

  public static double divergence(LossPair pair, double epsilon) {
    return FoldedProbability.tail(pair.p(epsilon))
        - Math.exp(epsilon) * FoldedProbability.tail(pair.q(epsilon));
  }

  @ParameterizedTest
  @CsvSource({"0.1", "1", "5"})
  void gaussian(double mu) {
    for (double epsilon : EPSILONS) {
      double expected =
          Integral.divergence(
              x -> Integral.density(x, mu, 1),
              x -> Integral.density(x, 0, 1),
              epsilon,
              -12,
              mu + 12);
      assertEquals(expected, divergence(new GaussianPair(mu), epsilon), 1e-6);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.1", "1", "5"})
  void laplace(double epsilon0) {
    for (double epsilon : EPSILONS) {
      double expected =
          epsilon >= epsilon0
              ? 0
              : epsilon <= -epsilon0
                  ? -Math.expm1(epsilon)
                  : 1 - Math.exp((epsilon - epsilon0) / 2);
      assertEquals(expected, divergence(new LaplacePair(epsilon0), epsilon), 1e-14);
    }
  }

  /** Both directions of a sampled Gaussian against Simpson's rule on its densities. */
  @ParameterizedTest
  @CsvSource({"1, 0.1", "0.5, 0.01", "3, 0.9", "0.3, 0.5"})
  void sampledGaussian(double sigma, double rate) {
    LossPair pair = Pairs.upper(new PoissonSampled(rate, new Gaussian(sigma)));
    for (double epsilon : EPSILONS) {
      double low = -12 * sigma;
      double high = 1 + 12 * sigma;
      double removed =
          Integral.divergence(
              x -> mixture(x, 1, sigma, rate), x -> mixture(x, 0, sigma, rate), epsilon, low, high);
      double added =
          Integral.divergence(
              x -> mixture(x, 0, sigma, rate), x -> mixture(x, 1, sigma, rate), epsilon, low, high);
      assertEquals(removed, divergence(pair, epsilon), 1e-6);
      assertEquals(added, divergence(pair.reversed(), epsilon), 1e-6);
    }
  }

  /** (1−r)N(0) + rN(mean); σ is the standard deviation. */
  private static double mixture(double x, double mean, double sigma, double rate) {
    return (1 - rate) * Integral.density(x, 0, sigma) + rate * Integral.density(x, mean, sigma);
  }

  /** Sampling turns (ε, δ) into (log(1 + r(e^ε − 1)), rδ), exactly. */
  @Test
  void samplingIsAmplification() {
    for (LossPair inner :
        List.of(new GaussianPair(1), new LaplacePair(2), DiscretePair.response(0.6, 3))) {
      for (double rate : new double[] {0.001, 0.2, 0.9}) {
        LossPair sampled = SampledPair.of(inner, rate);
        for (double epsilon : EPSILONS) {
          double amplified = Math.log1p(rate * Math.expm1(epsilon));
          assertEquals(rate * divergence(inner, epsilon), divergence(sampled, amplified), 1e-13);
        }
      }
    }
  }

  /** ε ≥ 0 from the sampled pair, ε < 0 from its reverse: the larger of both at every ε. */
  @Test
  void twoSidedPairIsTheWorseOfBothDirections() {
    for (LossPair inner :
        List.of(
            new GaussianPair(0.5), new GaussianPair(3), new LaplacePair(2), new LaplacePair(0.1))) {
      for (double rate : new double[] {0.01, 0.5, 0.95}) {
        LossPair sampled = SampledPair.of(inner, rate);
        LossPair both = new TwoSidedPair(sampled);
        for (double epsilon : EPSILONS) {
          double expected =
              Math.max(divergence(sampled, epsilon), divergence(sampled.reversed(), epsilon));
          assertEquals(expected, divergence(both, epsilon), 1e-12, inner + " at " + epsilon);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0.1", "0.5, 0.3", "3, 0.9"})
  void poissonReplaceOne(double sigma, double rate) {
    LossPair pair =
        MechanismPairs.of(new PoissonSampled(rate, new Gaussian(sigma)), Neighbouring.REPLACE_ONE)
            .upper();
    for (double epsilon : EPSILONS) {
      double expected =
          Integral.divergence(
              x -> mixture(x, 1, sigma, rate),
              x -> mixture(x, -1, sigma, rate),
              epsilon,
              -1 - 12 * sigma,
              1 + 12 * sigma);
      assertEquals(expected, divergence(pair, epsilon), 1e-6);
    }
  }

  /** The proof in PoissonReplacePair, tried: no contributions in the unit disc are worse. */
  @Test
  void poissonReplaceOneDominates() {
    Random random = new Random(17);
    for (int i = 0; i < 40; i++) {
      double sigma = 0.4 + 2 * random.nextDouble();
      double rate = random.nextDouble();
      double epsilon = 2 * random.nextDouble() - 0.5;
      double[] u = inDisc(random);
      double[] v = inDisc(random);
      double attained = planar(sigma, rate, u, v, epsilon);
      double bound = divergence(new PoissonReplacePair(sigma, rate), epsilon);
      assertTrue(attained <= bound + 1e-5, attained + " > " + bound + " at " + sigma + ", " + rate);
    }
  }

  private static double[] inDisc(Random random) {
    double angle = 2 * Math.PI * random.nextDouble();
    double radius = random.nextBoolean() ? 1 : Math.sqrt(random.nextDouble());
    return new double[] {radius * Math.cos(angle), radius * Math.sin(angle)};
  }

  /**
   * A lot of fixed size, one place of which has the unit v or is empty: a place that is not drawn
   * leaves the lot to another unit u. At every ε, and so in every composition, the pair must be at
   * least as far apart, whatever the two units.
   */
  @ParameterizedTest
  @EnumSource(
      value = Neighbouring.class,
      names = {"ADD_REMOVE", "ZERO_OUT"})
  void aUnitAgainstAnEmptyPlaceOfALotOfFixedSizeIsDominated(Neighbouring relation) {
    Random random = new Random(18);
    for (int i = 0; i < 40; i++) {
      double sigma = 0.4 + 2 * random.nextDouble();
      int lot = 1 + random.nextInt(9);
      LossPair pair =
          MechanismPairs.of(new FixedSizeSampled(lot, 10, new Gaussian(sigma)), relation).upper();
      double epsilon = 3 * random.nextDouble() - 1.5;
      double[] u = inDisc(random);
      // The reverse is worst where both units agree.
      double[] v = i % 2 == 0 ? u : inDisc(random);
      double attained = planar(sigma, lot / 10.0, u, v, new double[2], epsilon);
      double bound = divergence(pair, epsilon);
      assertTrue(attained <= bound + 1e-5, attained + " > " + bound + " at epsilon " + epsilon);
    }
  }

  /** (1−r)N(0) + rN(u) against (1−r)N(0) + rN(v) in the plane. */
  private static double planar(double sigma, double rate, double[] u, double[] v, double epsilon) {
    return planar(sigma, rate, new double[2], u, v, epsilon);
  }

  /** (1−r)N(w) + rN(u) against (1−r)N(w) + rN(v) in the plane, by midpoints. */
  private static double planar(
      double sigma, double rate, double[] w, double[] u, double[] v, double epsilon) {
    double reach = 1 + 7 * sigma;
    double step = reach / 150;
    double sum = 0;
    for (double x = -reach + step / 2; x < reach; x += step) {
      for (double y = -reach + step / 2; y < reach; y += step) {
        double still = (1 - rate) * bell(x - w[0], y - w[1], sigma);
        double p = still + rate * bell(x - u[0], y - u[1], sigma);
        double q = still + rate * bell(x - v[0], y - v[1], sigma);
        sum += Math.max(0, p - Math.exp(epsilon) * q);
      }
    }
    return sum * step * step;
  }

  private static double bell(double x, double y, double sigma) {
    return Integral.density(x, 0, sigma) * Integral.density(y, 0, sigma);
  }

  /** The best of all two-point mechanisms with losses t and t − η, searched over t. */
  @ParameterizedTest
  @CsvSource({"0.3", "1", "5"})
  void boundedRange(double range) {
    for (double epsilon : EPSILONS) {
      double best = 0;
      for (int i = 0; i <= 20_000; i++) {
        double t = range * i / 20_000;
        // P's mass at the loss t that makes Q's masses sum to one.
        double up = (Math.exp(range) - Math.exp(t)) / Math.expm1(range);
        double high = gain(up, t, epsilon) + gain(1 - up, t - range, epsilon);
        best = Math.max(best, high);
      }
      double found = divergence(new BoundedRangePair(range), epsilon);
      assertEquals(best, found, 1e-7, "at " + epsilon);
    }
  }

  /** What a mass of P at one loss gives to the divergence. */
  private static double gain(double mass, double loss, double epsilon) {
    return Math.max(0, mass * -Math.expm1(epsilon - loss));
  }

  /** Above the truth, and for ε ≥ 0 no higher than the best order's bound. */
  @Test
  void renyiCurve() {
    double mu = 0.7;
    List<Double> orders = DoubleStream.of(1.5, 2, 3, 5, 8, 13, 21, 34, 55).boxed().toList();
    RenyiCurve curve = new RenyiCurve(orders, orders.stream().map(a -> a * mu * mu / 2).toList());
    LossPair pair = Pairs.upper(curve);
    for (double epsilon : EPSILONS) {
      double truth = divergence(new GaussianPair(mu), epsilon);
      double found = divergence(pair, epsilon);
      assertTrue(found >= truth - 1e-12, found + " is below " + truth + " at " + epsilon);
      if (epsilon >= 0) {
        double bound =
            orders.stream()
                .mapToDouble(a -> Math.exp(RenyiConversion.logDelta(a, a * mu * mu / 2, epsilon)))
                .min()
                .orElseThrow();
        assertTrue(found <= bound * 1.001 + 1e-9, found + " is above " + bound);
      }
    }
  }
}
