package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.internal.pairs.GaussianProfile;
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
    PrivacyFilter filter = new PrivacyFilter(epsilon, delta);
    long fits = (long) Math.floor(most * 0.99);
    assertTrue(filter.admits(gaussians(sigma, fits)), "of " + most);
    assertFalse(filter.admits(gaussians(sigma, (long) Math.ceil(most) + 1)), "of " + most);
  }

  @Test
  void theOrderIsTheBudgetsAndNotTheLedgers() {
    PrivacyFilter filter = new PrivacyFilter(1, 1e-6);
    Ledger ledger = Ledger.of(RELATION, new Laplace(1), 1);
    assertTrue(new RdpAccountant().epsilon(ledger, 1e-6).epsilon() < filter.spent(ledger));
    assertEquals(
        new RdpAccountant(filter.order()).epsilon(ledger, 1e-6).epsilon(), filter.spent(ledger));
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
    assertEquals(Double.POSITIVE_INFINITY, new PrivacyFilter(1, 1e-6).spent(own));
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
}
