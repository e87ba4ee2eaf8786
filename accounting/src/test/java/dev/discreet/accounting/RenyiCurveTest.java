package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.RenyiCurve;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bare Rényi curve, taken from a Gaussian so that the truth is known. */
class RenyiCurveTest {
  private static final double SIGMA = 3;
  private static final List<Double> KNOTS = List.of(1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0, 60.0);

  private final RdpAccountant rdp = new RdpAccountant();
  private final PldAccountant pld = new PldAccountant();

  private static RenyiCurve curve(List<Double> orders) {
    return new RenyiCurve(
        orders, orders.stream().map(order -> order / (2 * SIGMA * SIGMA)).toList());
  }

  private double divergence(Mechanism mechanism, double order) {
    return rdp.divergence(Ledgers.addRemove(mechanism, 1), order);
  }

  @Test
  void exactAtTheKnots() {
    for (double order : KNOTS) {
      assertEquals(order / (2 * SIGMA * SIGMA), divergence(curve(KNOTS), order), 1e-15);
    }
  }

  @Test
  void aboveTheTruthBetweenThem() {
    for (double order = 1.001; order < 60; order *= 1.03) {
      double found = divergence(curve(KNOTS), order);
      double truth = order / (2 * SIGMA * SIGMA);
      assertTrue(found >= truth * (1 - 1e-14), "order " + order + ": " + found);
      assertTrue(found <= divergence(curve(KNOTS), 60), "order " + order + ": " + found);
    }
  }

  @Test
  void nothingIsKnownAboveTheLastKnot() {
    assertEquals(Double.POSITIVE_INFINITY, divergence(curve(KNOTS), 60.001));
  }

  @Test
  void infiniteKnotsSayNothing() {
    RenyiCurve holes =
        new RenyiCurve(
            List.of(2.0, 3.0, 4.0),
            List.of(Double.POSITIVE_INFINITY, 1.0, Double.POSITIVE_INFINITY));
    for (double order : new double[] {1.5, 2, 2.5, 3, 3.5, 4, 5}) {
      assertFalse(Double.isNaN(divergence(holes, order)), "order " + order);
    }
    assertEquals(1, divergence(holes, 3));
    Guarantee answer = pld.epsilon(Ledgers.addRemove(holes, 1), 1e-5);
    assertTrue(answer.epsilon() < 1 + Math.log(1e5) / 2);
  }

  @ParameterizedTest
  @CsvSource({"1, 1e-5", "100, 1e-3"})
  void pldConvertsItAndKnowsNoLowerEnd(long count, double delta) {
    Ledger bare = Ledgers.addRemove(curve(KNOTS), count);
    Guarantee answer = pld.epsilon(bare, delta);
    assertEquals(0, answer.epsilonLower());
    double truth = pld.epsilon(Ledgers.addRemove(new Gaussian(SIGMA), count), delta).epsilonLower();
    double sensible = rdp.epsilon(bare, delta).epsilon();
    assertTrue(answer.epsilon() >= truth, answer + " is below the Gaussian's " + truth);
    assertTrue(answer.epsilon() <= sensible * (1 + 1e-9), answer + " is above rdp's " + sensible);
    assertEquals(0, pld.delta(bare, 0.5).deltaLower());
    assertTrue(
        pld.delta(bare, 0.5).delta()
            >= pld.delta(Ledgers.addRemove(new Gaussian(SIGMA), count), 0.5).deltaLower());
  }

  /** The lower end of a ledger is that of its other entries. */
  @Test
  void otherEntriesKeepTheirLowerEnd() {
    Ledger sampled = Ledgers.poisson(1, 0.1, 50);
    Guarantee alone = pld.epsilon(sampled, 1e-5);
    Guarantee both = pld.epsilon(sampled.plus(curve(KNOTS), 2), 1e-5);
    Expect.relative(alone.epsilonLower(), both.epsilonLower(), 0.01);
    assertTrue(both.epsilonLower() <= alone.epsilon());
    assertTrue(both.epsilon() >= alone.epsilon());
    Ledger gaussian = sampled.plus(new Gaussian(SIGMA), 2);
    assertTrue(both.epsilon() >= pld.epsilon(gaussian, 1e-5).epsilonLower());
    assertTrue(both.epsilon() <= rdp.epsilon(sampled.plus(curve(KNOTS), 2), 1e-5).epsilon());
  }

  /** More orders can only help. */
  @Test
  void moreOrdersAreNoWorse() {
    List<Double> all = DoubleStream.iterate(1.25, a -> a * 1.1).limit(48).boxed().toList();
    List<Double> some =
        IntStream.range(0, all.size()).filter(i -> i % 4 == 0).mapToObj(all::get).toList();
    double more = pld.epsilon(Ledgers.addRemove(curve(all), 1), 1e-5).epsilon();
    double fewer = pld.epsilon(Ledgers.addRemove(curve(some), 1), 1e-5).epsilon();
    assertTrue(more <= fewer * (1 + 1e-6));
  }

  @Test
  void curvesWithoutAnyFiniteOrder() {
    RenyiCurve nothing = new RenyiCurve(List.of(2.0), List.of(Double.POSITIVE_INFINITY));
    Guarantee answer = pld.epsilon(Ledgers.addRemove(nothing, 1), 1e-5);
    assertEquals(Double.POSITIVE_INFINITY, answer.epsilon());
    assertEquals("the Rényi curve is infinite at every order", answer.note());
    assertEquals(
        Double.POSITIVE_INFINITY, rdp.epsilon(Ledgers.addRemove(nothing, 1), 1e-5).epsilon());
  }

  @Test
  void aCurveOfZerosIsFree() {
    RenyiCurve zeros = new RenyiCurve(List.of(2.0, 10.0), List.of(0.0, 0.0));
    assertEquals(0, rdp.epsilon(Ledgers.addRemove(zeros, 100), 1e-5).epsilon(), 1e-12);
  }
}
