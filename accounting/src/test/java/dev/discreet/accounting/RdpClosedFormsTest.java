package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Exponential;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rényi divergences that have formulas. */
class RdpClosedFormsTest {
  private static final double[] ORDERS = {1.01, 1.5, 2, 7.3, 64, 200};

  private final RdpAccountant rdp = new RdpAccountant();

  private static Stream<Arguments> withOrders(double... values) {
    List<Arguments> all = new ArrayList<>();
    for (double value : values) {
      for (double order : ORDERS) {
        all.add(Arguments.of(value, order));
      }
    }
    return all.stream();
  }

  static Stream<Arguments> scales() {
    return withOrders(0.05, 0.5, 1, 3, 20, 1000);
  }

  /** log(Σ e^x). */
  private static double logSum(double... exponents) {
    double top = Arrays.stream(exponents).max().orElseThrow();
    double sum = 0;
    for (double exponent : exponents) {
      sum += Math.exp(exponent - top);
    }
    return top + Math.log(sum);
  }

  /** Mironov 2017, table II. */
  @ParameterizedTest
  @MethodSource("scales")
  void laplace(double scale, double order) {
    double rest = 2 * order - 1;
    double expected =
        logSum(
                Math.log(order / rest) + (order - 1) / scale,
                Math.log((order - 1) / rest) - order / scale)
            / (order - 1);
    // For wide noise the formula itself loses digits: the sum is 1 up to (order − 1)/scale².
    double tolerance = Math.max(1e-11, 1e-15 * scale * scale / (order - 1));
    double found = rdp.divergence(Ledgers.addRemove(new Laplace(scale), 1), order);
    Expect.relative(expected, found, tolerance);
  }

  /** To second order D_α = α·E_Q[L²]/2, where the closed form has no digits left. */
  @Test
  void veryWideLaplaceNoise() {
    double scale = 1e8;
    Expect.relative(
        2 / (2 * scale * scale), rdp.divergence(Ledgers.addRemove(new Laplace(scale), 1), 2), 1e-6);
  }

  static Stream<Arguments> truths() {
    return withOrders(0.05, 0.2, 0.4, 0.75, 0.999);
  }

  @ParameterizedTest
  @MethodSource("truths")
  void randomizedResponse(double truth, double order) {
    for (int categories : new int[] {2, 3, 10}) {
      double other = (1 - truth) / (categories - 1);
      double expected =
          logSum(
                  order * Math.log(truth) + (1 - order) * Math.log(other),
                  order * Math.log(other) + (1 - order) * Math.log(truth),
                  Math.log(other) + Math.log(categories - 2))
              / (order - 1);
      double found =
          rdp.divergence(Ledgers.addRemove(new RandomizedResponse(truth, categories), 1), order);
      Expect.relative(expected, found, 1e-11);
    }
  }

  /** The worst ε-private mechanism is a coin. */
  @ParameterizedTest
  @MethodSource("scales")
  void pure(double epsilon, double order) {
    double expected =
        (logSum(order * epsilon, (1 - order) * epsilon) - logSum(0, epsilon)) / (order - 1);
    double found = rdp.divergence(Ledgers.addRemove(new PureDp(epsilon), 1), order);
    Expect.relative(expected, found, 1e-11);
  }

  static Stream<Arguments> sigmas() {
    return withOrders(0.05, 0.7, 4, 200);
  }

  @ParameterizedTest
  @MethodSource("sigmas")
  void gaussian(double sigma, double order) {
    double expected = order / (2 * sigma * sigma);
    Mechanism gaussian = new Gaussian(sigma);
    Expect.relative(expected, rdp.divergence(Ledgers.addRemove(gaussian, 1), order), 1e-14);
    Expect.relative(
        4 * expected,
        rdp.divergence(Ledger.of(Neighbouring.REPLACE_ONE, gaussian, 1), order),
        1e-14);
  }

  @Test
  void divergencesAddUp() {
    Mechanism[] parts = {new Gaussian(2), new Laplace(3), new RandomizedResponse(0.6, 4)};
    for (double order : ORDERS) {
      Ledger all = Ledger.empty(Neighbouring.ADD_REMOVE);
      double sum = 0;
      for (int i = 0; i < parts.length; i++) {
        all = all.plus(parts[i], 10 + i);
        sum += (10 + i) * rdp.divergence(Ledgers.addRemove(parts[i], 1), order);
      }
      Expect.relative(sum, rdp.divergence(all, order), 1e-13);
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/dev/discreet/accounting/exponential.csv", numLinesToSkip = 1)
  void exponential(double range, double alpha, double expected) {
    double order = alpha == 1 ? 1 + 1e-7 : alpha;
    double found = rdp.divergence(Ledgers.addRemove(new Exponential(range), 1), order);
    Expect.relative(expected, found, alpha == 1 ? 1e-6 : 1e-9);
    assertTrue(
        found <= rdp.divergence(Ledgers.addRemove(new PureDp(range), 1), order) * (1 + 1e-9),
        "bounded range is better than pure privacy");
  }

  /** α·η²/8 to leading order, with a share of about (αη)² less. */
  @ParameterizedTest
  @CsvSource({"1e-7, 1.5", "1e-9, 2", "1e-12, 64", "1e-30, 3", "1e-100, 1.001", "1e-12, 1000"})
  void exponentialOfATinyRange(double range, double order) {
    double found = rdp.divergence(Ledgers.addRemove(new Exponential(range), 1), order);
    Expect.relative(order * range * range / 8, found, 1e-12);
  }

  /** Ten orders of magnitude past what an integral can be made of. */
  @ParameterizedTest
  @CsvSource({"1e-4, 2", "1e-4, 1.001", "1e-9, 30", "1e-2, 100000", "1e300, 2", "3, 1e9"})
  void laplaceAtTheEnds(double scale, double order) {
    double found = rdp.divergence(Ledgers.addRemove(new Laplace(scale), 1), order);
    assertTrue(found <= 1 / scale, found + " is above the largest loss");
    if (scale < 1) {
      // (α−1)D = (α−1)/b + log(α/(2α−1)), the rest being below e^−1/b.
      double exact = 1 / scale + Math.log(order / (2 * order - 1)) / (order - 1);
      Expect.relative(exact, found, 1e-13);
    }
  }

  /** A sampled one has no closed form, but no divergence is above the largest loss. */
  @Test
  void sampledReleasesOfHugeLosses() {
    for (Mechanism inner : List.of(new Laplace(1e-5), new Exponential(1e6), new PureDp(1e6))) {
      Ledger ledger = Ledgers.addRemove(new PoissonSampled(0.5, inner), 1);
      for (double order : new double[] {1.5, 30, 1e4}) {
        double found = rdp.divergence(ledger, order);
        assertTrue(found > 4e4 && found <= 1e6, inner + ": " + found);
      }
      assertTrue(new MomentsAccountant().epsilon(ledger, 1e-5).epsilon() < 1.1e6, inner + "");
    }
  }

  /** Everyone in the lot is no sampling, at every order and under every relation. */
  @ParameterizedTest
  @EnumSource
  void samplingAllIsNotSampling(Neighbouring relation) {
    for (Mechanism inner : List.of(new Gaussian(5), new Laplace(5), new Exponential(0.2))) {
      for (double order : new double[] {1.5, 20, 5000.5, 1e6}) {
        double plain = rdp.divergence(Ledger.of(relation, inner, 1), order);
        double sampled =
            rdp.divergence(Ledger.of(relation, new PoissonSampled(1, inner), 1), order);
        Expect.relative(plain, sampled, 1e-14);
      }
    }
  }
}
