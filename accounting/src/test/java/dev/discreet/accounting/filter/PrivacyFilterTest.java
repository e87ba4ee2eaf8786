package dev.discreet.accounting.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.accounting.internal.pairs.GaussianProfile;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivacyFilterTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;

  private static Ledger gaussians(double sigma, long count) {
    return Ledger.of(RELATION, new Gaussian(sigma), count);
  }

  @Test
  void pureCostsAddUp() {
    PrivacyFilter filter = new PrivacyFilter(0.3, 0);
    Ledger tenth = Ledger.of(RELATION, new Laplace(10), 1);
    assertTrue(filter.admits(tenth.plus(new Laplace(5), 1)), "0.1 and 0.2 are 0.3");
    assertFalse(filter.admits(tenth.plus(new Laplace(4.9), 1)));
    assertEquals(0, filter.spent(Ledger.empty(RELATION)));
    assertEquals(Double.POSITIVE_INFINITY, filter.spent(gaussians(100, 1)));
  }

  /**
   * With the closed form for Gaussians, ε = αn/(2σ²) + log(1−1/α) − (log δ + log α)/(α−1), at the
   * best order of a fine search: the filter's fixed order leaves hardly more than that.
   */
  @ParameterizedTest
  @CsvSource({"1, 1e-6, 10", "3, 1e-5, 4", "0.5, 1e-6, 30", "8, 1e-8, 1.5"})
  void admitsAsManyGaussiansAsTheBestOrderDoes(double epsilon, double delta, double sigma) {
    double most = 0;
    for (double order = 1.001; order < 5000; order *= 1.0005) {
      double room =
          epsilon - Math.log1p(-1 / order) + (Math.log(delta) + Math.log(order)) / (order - 1);
      most = Math.max(most, room * 2 * sigma * sigma / order);
    }
    PrivacyFilter filter = PrivacyFilter.ofOneOrder(epsilon, delta);
    long fits = (long) Math.floor(most * 0.99);
    assertTrue(filter.admits(gaussians(sigma, fits)), "of " + most);
    assertFalse(filter.admits(gaussians(sigma, (long) Math.ceil(most) + 1)), "of " + most);
  }

  @Test
  void theOrderIsTheBudgetsAndNotTheLedgers() {
    PrivacyFilter filter = PrivacyFilter.ofOneOrder(1, 1e-6);
    Ledger ledger = gaussians(10, 3);
    double order = filter.orders().get(0).order();
    assertEquals(
        new RdpAccountant(order).epsilon(ledger, 1e-6).epsilon(), filter.spent(ledger), 1e-8);
    Ledger noisier = gaussians(100, 3);
    assertTrue(new RdpAccountant().epsilon(noisier, 1e-6).epsilon() < filter.spent(noisier));
  }

  /** A budget that no order has room for still has room for pure releases. */
  @Test
  void pureReleasesFitByTheirLargestLosses() {
    for (PrivacyFilter filter :
        new PrivacyFilter[] {new PrivacyFilter(1, 1e-6), PrivacyFilter.ofOneOrder(1, 1e-6)}) {
      assertTrue(filter.admits(Ledger.of(RELATION, new Laplace(10), 10)));
      assertEquals(1, filter.share(filter.cost(Ledger.of(RELATION, new Laplace(10), 10))), 1e-8);
    }
    assertFalse(new PrivacyFilter(1, 1e-6).admits(Ledger.of(RELATION, new Laplace(2), 3)));
  }

  @Test
  void ordersAndWeightsAreFixedByTheBudgetAlone() {
    PrivacyFilter filter = new PrivacyFilter(8, 1e-6);
    assertEquals(new PrivacyFilter(8, 1e-6), filter);
    assertEquals(1, filter.orders().stream().mapToDouble(PrivacyFilter.Order::weight).sum(), 1e-12);
    assertEquals(1e-7, filter.ownDelta(), 1e-20);
    assertTrue(filter.orders().size() >= 10 && filter.orders().size() <= 16, "" + filter.orders());
  }

  /** Admits what any of its orders admits with its weight's share of δ, and a little more. */
  @ParameterizedTest
  @CsvSource({"1, 1e-6", "3, 1e-5", "8, 1e-6", "0.5, 1e-8"})
  void theMeanAdmitsMoreThanTheUnion(double epsilon, double delta) {
    PrivacyFilter filter = new PrivacyFilter(epsilon, delta);
    Mechanism step = new Mechanism.PoissonSampled(0.01, new Gaussian(4));
    long union = 0;
    for (PrivacyFilter.Order each : filter.orders()) {
      double ofOne = new RdpAccountant().divergence(Ledger.of(RELATION, step, 1), each.order());
      double order = each.order();
      double room =
          epsilon
              + (Math.log(each.weight() * (delta - filter.ownDelta())) + Math.log(order))
                  / (order - 1)
              - Math.log1p(-1 / order);
      union = Math.max(union, (long) Math.floor(room / ofOne * (1 - 1e-9)));
    }
    assertTrue(filter.admits(Ledger.of(RELATION, step, union)), "of " + union);
    assertFalse(filter.admits(Ledger.of(RELATION, step, (long) (1.2 * union))), "of " + union);
  }

  /**
   * The condition of the proof, looked at for very many likelihood ratios: R − e^ε is at most (δ −
   * δ₀)·Σ w·R^α·e^−S, and touches it somewhere where nothing more fits.
   */
  @ParameterizedTest
  @CsvSource({"1, 1e-6, 12", "3, 1e-5, 4", "8, 1e-6, 1.2"})
  void noLikelihoodRatioPassesTheMean(double epsilon, double delta, double sigma) {
    PrivacyFilter filter = new PrivacyFilter(epsilon, delta);
    Spending one = filter.cost(gaussians(sigma, 1));
    Spending full = one.times(1 / filter.share(one));
    double closest = Double.NEGATIVE_INFINITY;
    for (double x = 1e-6; x < 60; x *= 1.0005) {
      double mean = 0;
      for (int i = 0; i < filter.orders().size(); i++) {
        PrivacyFilter.Order each = filter.orders().get(i);
        mean += each.weight() * Math.exp(each.order() * (epsilon + x) - full.logMoments().get(i));
      }
      double ratio = Math.exp(epsilon) * Math.expm1(x) / mean;
      closest = Math.max(closest, Math.log(ratio) - Math.log(delta - filter.ownDelta()));
    }
    assertTrue(closest < 1e-6, "above by " + closest);
    assertTrue(closest > -1e-4, "below by " + closest);
  }

  /** The promise, in ε, against the tight cost of the releases if they had been fixed before. */
  @ParameterizedTest
  @CsvSource({"1, 1e-6", "3, 1e-5", "8, 1e-6"})
  void oneTrainingRunTakesAtMostAFifthMoreThanItsTightCost(double epsilon, double delta) {
    PrivacyFilter filter = new PrivacyFilter(epsilon, delta);
    double low = 0.3;
    double high = 1000;
    while (high / low > 1.0001) {
      double sigma = Math.sqrt(low * high);
      if (filter.admits(run(sigma))) {
        high = sigma;
      } else {
        low = sigma;
      }
    }
    double tight = new PldAccountant().epsilon(run(high), delta).epsilon();
    assertTrue(epsilon / tight > 1, "less than tight: " + epsilon / tight);
    assertTrue(epsilon / tight < 1.15, "over by " + (epsilon / tight - 1));
  }

  private static Ledger run(double sigma) {
    return Ledger.of(RELATION, new Mechanism.PoissonSampled(0.02, new Gaussian(sigma)), 2000);
  }

  @Test
  void releasesWithTheirOwnDeltaHaveAShareOfIt() {
    PrivacyFilter filter = new PrivacyFilter(1, 1e-6);
    Mechanism stated = new Mechanism.ApproximateDp(0.01, 4e-8);
    assertTrue(filter.admits(Ledger.of(RELATION, stated, 2)));
    assertFalse(filter.admits(Ledger.of(RELATION, stated, 3)));
    assertEquals(0.8, filter.share(filter.cost(Ledger.of(RELATION, stated, 2))), 1e-6);
  }

  @Test
  void whatNoOrderBoundsIsRefused() {
    PrivacyFilter filter = new PrivacyFilter(8, 1e-6);
    Spending cost =
        filter.cost(Ledger.of(RELATION, new Mechanism.EstimatedNormGaussian(1e4, 20), 1));
    assertFalse(filter.admits(cost));
    assertEquals(Double.POSITIVE_INFINITY, filter.share(cost));
    assertEquals(0, filter.share(cost.times(0)));
  }

  @Test
  void aCurveThatIsInfiniteAtSomeOrdersKillsOnlyThose() {
    PrivacyFilter filter = new PrivacyFilter(8, 1e-6);
    Mechanism curve = new Mechanism.RenyiCurve(List.of(5.0), List.of(0.1));
    Spending cost = filter.cost(Ledger.of(RELATION, curve, 1));
    assertTrue(cost.logMoments().contains(Double.POSITIVE_INFINITY));
    assertTrue(filter.admits(cost));
  }

  @Test
  void aShareTellsHowOftenTheSameFits() {
    PrivacyFilter filter = new PrivacyFilter(3, 1e-5);
    Spending one = filter.cost(gaussians(20, 1));
    double share = filter.share(one);
    long times = (long) Math.floor(1 / share * (1 + 1e-7));
    assertTrue(filter.admits(one.times(times)));
    assertFalse(filter.admits(one.times(times + 1)));
    assertEquals(0, filter.share(filter.cost(Ledger.empty(RELATION))));
  }

  /**
   * The share again, slowly and by its definition alone: bisection for the least s with which
   * releases that cost 1/s as much fit, and for each s the largest (R − e^ε)/M by ternary search.
   */
  private static double slowShare(PrivacyFilter filter, Spending cost) {
    double low = 1e-15;
    double high = 1e15;
    while (high / low > 1 + 1e-12) {
      double middle = Math.sqrt(low) * Math.sqrt(high);
      if (largestLogRatio(filter, cost, middle) <= Math.log(filter.delta() - filter.ownDelta())) {
        high = middle;
      } else {
        low = middle;
      }
      if (Math.sqrt(low) * Math.sqrt(high) == middle) {
        break;
      }
    }
    return high > 1e14 ? Double.POSITIVE_INFINITY : high;
  }

  private static double largestLogRatio(PrivacyFilter filter, Spending cost, double share) {
    double low = -20;
    double high = 10;
    while (high - low > 1e-9) {
      double third = (high - low) / 3;
      if (logRatio(filter, cost, share, Math.exp(low + third))
          < logRatio(filter, cost, share, Math.exp(high - third))) {
        low += third;
      } else {
        high -= third;
      }
    }
    return logRatio(filter, cost, share, Math.exp(low));
  }

  private static double logRatio(PrivacyFilter filter, Spending cost, double share, double x) {
    double largest = Double.NEGATIVE_INFINITY;
    double[] terms = new double[filter.orders().size()];
    for (int i = 0; i < terms.length; i++) {
      PrivacyFilter.Order each = filter.orders().get(i);
      terms[i] =
          Math.log(each.weight())
              + each.order() * (filter.epsilon() + x)
              - cost.logMoments().get(i) / share;
      largest = Math.max(largest, terms[i]);
    }
    double sum = 0;
    for (double term : terms) {
      sum += Math.exp(term - largest);
    }
    return filter.epsilon() + Math.log(Math.expm1(x)) - largest - Math.log(sum);
  }

  /** The fast share is the slow one to 1e-9 or a little above, for releases of every kind. */
  @ParameterizedTest
  @CsvSource({"1, 1e-6", "3, 1e-5", "8, 1e-6", "0.01, 1e-9", "50, 1e-3"})
  void theShareIsWhatItsDefinitionSays(double epsilon, double delta) {
    PrivacyFilter filter = new PrivacyFilter(epsilon, delta);
    SplittableRandom dice = new SplittableRandom(16);
    for (int i = 0; i < 12; i++) {
      double sigma = Math.exp(dice.nextDouble(-2, 6));
      Mechanism release =
          switch (i % 4) {
            case 0 -> new Gaussian(sigma);
            case 1 -> new Mechanism.PoissonSampled(0.02, new Gaussian(sigma));
            case 2 -> new Mechanism.RenyiCurve(List.of(3.0, 7.0), List.of(1e-3, 2 / sigma));
            default -> new Laplace(sigma);
          };
      Spending cost = filter.cost(Ledger.of(RELATION, release, dice.nextInt(1, 3000)));
      double slow = Math.min(slowShare(filter, cost), cost.largestLoss() / epsilon);
      double fast = filter.share(cost);
      assertEquals(slow, fast, 1e-9 * slow, release + " of " + filter);
      assertTrue(fast >= slow * (1 - 1e-11), release + " of " + filter);
    }
  }

  @Test
  void everyBudgetHasAnOrder() {
    assertFalse(new PrivacyFilter(1e-6, 1e-12).admits(gaussians(1e3, 1)));
    assertTrue(new PrivacyFilter(1e-3, 1e-6).admits(gaussians(1e5, 1)));
    assertTrue(new PrivacyFilter(500, 1e-300).admits(gaussians(1, 1)));
  }

  @Test
  void refusals() {
    assertThrows(IllegalArgumentException.class, () -> new PrivacyFilter(0, 1e-6));
    assertThrows(IllegalArgumentException.class, () -> new PrivacyFilter(Double.NaN, 1e-6));
    assertThrows(IllegalArgumentException.class, () -> new PrivacyFilter(1, 1));
    Ledger own = Ledger.of(RELATION, new Mechanism.ApproximateDp(0.01, 1e-9), 1);
    assertEquals(Double.POSITIVE_INFINITY, PrivacyFilter.ofOneOrder(1, 1e-6).spent(own));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PrivacyFilter(1, 1e-6, List.of(new PrivacyFilter.Order(2, 0.5)), 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PrivacyFilter(1, 1e-6, List.of(new PrivacyFilter.Order(2, 1)), 1e-6));
    assertThrows(IllegalArgumentException.class, () -> new PrivacyFilter.Order(1, 1));
  }

  /**
   * Someone who asks for counts with Gaussian noise until the answers tell. What is stated of the
   * questions that were asked, ε at δ, is missed several times as often as δ; the budget's is not.
   * The share of misses is estimated to within 3%, far less than the factor of 4.
   */
  @Test
  @Tag("statistical")
  void stoppingByAnswersBreaksTheSumAndNotTheBudget() {
    double sigma = 10;
    double delta = 1e-3;
    int most = 200;
    double[] stated = new double[most + 1];
    for (int n = 1; n <= most; n++) {
      stated[n] = GaussianProfile.epsilon(Math.sqrt(n) / sigma, delta);
    }
    PrivacyFilter filter = new PrivacyFilter(stated[most] * 1.2, delta);
    int admitted = 0;
    while (admitted < most && filter.admits(gaussians(sigma, admitted + 1))) {
      admitted++;
    }
    // The mean of 1 − e^(ε−L) where the loss L ends above ε is the real δ of that ε.
    double ofSum = 0;
    double ofBudget = 0;
    int people = 200_000;
    SplittableRandom random = new SplittableRandom(14);
    for (int i = 0; i < people; i++) {
      double loss = 0;
      boolean stopped = false;
      for (int n = 1; n <= most; n++) {
        loss += random.nextGaussian() / sigma + 0.5 / (sigma * sigma);
        if (!stopped && loss > stated[n]) {
          stopped = true;
          ofSum += 1 - Math.exp(stated[n] - loss);
        }
        if (n <= admitted && loss > filter.epsilon()) {
          ofBudget += 1 - Math.exp(filter.epsilon() - loss);
          break;
        }
      }
    }
    assertTrue(ofSum / people > 2 * delta, "real delta of the sum " + ofSum / people);
    assertTrue(ofBudget / people < delta, "real delta of the budget " + ofBudget / people);
  }

  /**
   * Someone who chooses by the answers what is asked next, with how much noise, and when to stop:
   * noisy questions until the answers begin to tell, then sharp ones, and an end as soon as they
   * tell more than the tight cost of what was asked allows. That cost is then missed more than
   * twice as often as its δ; the ceiling is not. With 200,000 people the share of misses has a
   * standard error of at most 3% of δ, so that either alarm is false with probability below 1e-9.
   */
  @Test
  @Tag("statistical")
  void whoeverChoosesByTheAnswersStaysBelowTheCeiling() {
    double delta = 1e-3;
    PrivacyFilter ceiling = new PrivacyFilter(2, delta);
    double[] sigmas = {12, 5};
    Spending[] costs = {
      ceiling.cost(gaussians(sigmas[0], 1)), ceiling.cost(gaussians(sigmas[1], 1))
    };
    int[] most = {(int) (1 / ceiling.share(costs[0])) + 1, (int) (1 / ceiling.share(costs[1])) + 1};
    boolean[][] admitted = new boolean[most[0] + 2][most[1] + 2];
    double[][] tight = new double[most[0] + 2][most[1] + 2];
    for (int a = 0; a < admitted.length; a++) {
      for (int b = 0; b < admitted[a].length; b++) {
        admitted[a][b] = ceiling.admits(costs[0].times(a).plus(costs[1].times(b)));
        double mu = Math.sqrt(a / (sigmas[0] * sigmas[0]) + b / (sigmas[1] * sigmas[1]));
        tight[a][b] = mu == 0 ? 0 : GaussianProfile.epsilon(mu, delta);
      }
    }
    double ofTight = 0;
    double ofCeiling = 0;
    int people = 200_000;
    SplittableRandom random = new SplittableRandom(16);
    for (int i = 0; i < people; i++) {
      int[] asked = {0, 0};
      double loss = 0;
      while (true) {
        int sharp = loss > 0.4 * tight[asked[0]][asked[1]] && asked[0] > 3 ? 1 : 0;
        asked[sharp]++;
        if (!admitted[asked[0]][asked[1]]) {
          asked[sharp]--;
          break;
        }
        double sigma = sigmas[sharp];
        loss += random.nextGaussian() / sigma + 0.5 / (sigma * sigma);
        if (loss > tight[asked[0]][asked[1]]) {
          break;
        }
      }
      ofTight += Math.max(0, 1 - Math.exp(tight[asked[0]][asked[1]] - loss));
      ofCeiling += Math.max(0, 1 - Math.exp(ceiling.epsilon() - loss));
    }
    assertTrue(ofTight / people > 2 * delta, "real delta of the tight cost " + ofTight / people);
    assertTrue(ofCeiling / people < delta, "real delta of the ceiling " + ofCeiling / people);
  }

  @Test
  void filtersAndCostsAreReadBackAsTheyWere() {
    PrivacyFilter filter = new PrivacyFilter(8, 1e-6);
    assertEquals(filter, PrivacyFilter.parse(filter.toJson()));
    assertEquals(
        PrivacyFilter.ofOneOrder(2, 1e-6), PrivacyFilter.parse("{\"epsilon\":2,\"delta\":1e-6}"));
    Spending cost =
        filter.cost(Ledger.of(RELATION, new Mechanism.RenyiCurve(List.of(5.0), List.of(0.1)), 1));
    assertEquals(cost, Spending.parse(cost.toJson()));
  }

  /** What a release is worth under another relation is what the same noise costs there. */
  @Test
  void relationsAreTurnedIntoEachOtherByProvenRulesAlone() {
    Mechanism step = new Mechanism.PoissonSampled(0.01, new Gaussian(1));
    Ledger ledger = Ledger.of(RELATION, step, 10);
    assertEquals(
        Ledger.of(Neighbouring.REPLACE_ONE, step, 10),
        RelationConversion.of(ledger, Neighbouring.REPLACE_ONE));
    assertEquals(
        Ledger.of(Neighbouring.ZERO_OUT, step, 10),
        RelationConversion.of(ledger, Neighbouring.ZERO_OUT));
    assertEquals(
        Ledger.of(Neighbouring.REPLACE_ONE, new Mechanism.PureDp(0.2), 1),
        RelationConversion.of(
            Ledger.of(RELATION, new Mechanism.PureDp(0.1), 1), Neighbouring.REPLACE_ONE));
    assertThrows(
        IllegalArgumentException.class,
        () -> RelationConversion.of(Ledger.of(Neighbouring.REPLACE_ONE, step, 1), RELATION));
    // Who is replaced may be in one part before and in another after.
    Ledger parted = ledger.onPart("left");
    assertEquals(
        "left", RelationConversion.of(parted, Neighbouring.ZERO_OUT).entries().get(0).part());
    assertThrows(
        IllegalArgumentException.class,
        () -> RelationConversion.of(parted, Neighbouring.REPLACE_ONE));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            RelationConversion.of(
                Ledger.of(RELATION, new Mechanism.FixedSizeSampled(10, 100, new Gaussian(1)), 1),
                Neighbouring.REPLACE_ONE));
  }

  @Test
  void whatIsTakenAwayIsGone() {
    Ledger all = gaussians(1, 5).plus(new Laplace(2), 3).plus(new Gaussian(1), 2);
    assertEquals(
        Ledger.of(RELATION, new Laplace(2), 3).plus(new Gaussian(1), 1),
        all.minus(gaussians(1, 6)));
    assertEquals(Ledger.empty(RELATION), all.minus(all.plus(all)));
  }
}
