package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static dev.discreet.accounting.Neighbouring.REPLACE_ONE;
import static dev.discreet.accounting.Neighbouring.ZERO_OUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.statement.GroupPrivacy;
import dev.discreet.accounting.statement.PrivacyStatement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Questions whose ε is 0 or nearly so, while single losses are large and rare: still in seconds.
 */
class PldSmallEpsilonTest {
  private static final double LIMIT = 5;
  private static final PldAccountant PLD = new PldAccountant();

  private static Ledger sampled(Neighbouring relation, double rate, Mechanism inner, long count) {
    return Ledger.of(relation, new PoissonSampled(rate, inner), count);
  }

  /** δ of the sampled worst ε₀-private mechanism, two outputs each, by summing over how often. */
  private static double pureDelta(double rate, double pure, int count, double epsilon) {
    double q = 1 / (1 + Math.exp(pure));
    double p = (1 - rate) * q + rate * (1 - q);
    return Math.max(binomial(p, q, count, epsilon), binomial(q, p, count, epsilon));
  }

  private static double binomial(double p, double q, int count, double epsilon) {
    double logChoose = 0;
    double sum = 0;
    for (int k = 0; k <= count; k++) {
      double inP = logChoose + k * Math.log(p) + (count - k) * Math.log1p(-p);
      double loss = k * Math.log(p / q) + (count - k) * (Math.log1p(-p) - Math.log1p(-q));
      sum += loss > epsilon ? Math.exp(inP) * -Math.expm1(epsilon - loss) : 0;
      logChoose += Math.log((double) (count - k) / (k + 1));
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({
    "1.9e-5, 17, 1, 0",
    "1.9e-5, 17, 1, 1e-6",
    "1.9e-5, 17, 2, 0",
    "1.9e-5, 17, 7, 1e-6",
    "1e-4, 10, 100, 0",
    "1e-4, 10, 100, 1e-3",
    "1e-3, 6, 1000, 1e-9"
  })
  void deltaOfRareLargeLosses(double rate, double pure, int count, double epsilon) {
    Ledger ledger = sampled(ADD_REMOVE, rate, new PureDp(pure), count);
    Guarantee found = CpuTime.within(LIMIT, () -> PLD.delta(ledger, epsilon));
    double exact = pureDelta(rate, pure, count, epsilon);
    assertTrue(found.delta() >= exact * (1 - 1e-9), found + " " + exact);
    assertTrue(found.deltaLower() <= exact * (1 + 1e-9), found + " " + exact);
    assertTrue(found.delta() - found.deltaLower() <= 0.01 * exact, found + " " + exact);
  }

  static Stream<Arguments> narrow() {
    return Stream.of(
        Arguments.of(sampled(ADD_REMOVE, 1e-4, new Laplace(0.1), 1000), 0),
        Arguments.of(sampled(ADD_REMOVE, 1e-5, new Gaussian(0.3), 10_000), 0),
        Arguments.of(sampled(ADD_REMOVE, 1e-5, new Gaussian(0.3), 10_000), 1e-3),
        Arguments.of(sampled(ADD_REMOVE, 2.677e-5, new Gaussian(0.1718), 2), 1e-9),
        Arguments.of(sampled(ADD_REMOVE, 1e-9, new Gaussian(1), 5), 0));
  }

  @ParameterizedTest
  @MethodSource("narrow")
  void deltaIsNarrow(Ledger ledger, double epsilon) {
    Guarantee found = CpuTime.within(LIMIT, () -> PLD.delta(ledger, epsilon));
    assertTrue(found.delta() - found.deltaLower() <= 2e-3 * found.delta(), found.toString());
  }

  /** Where no worst case is known the ends do not meet, and no grid is worth waiting for. */
  @Test
  void realGapsDoNotTakeLong() {
    Ledger laplace = sampled(REPLACE_ONE, 1e-4, new Laplace(0.1), 1000);
    Guarantee delta = CpuTime.within(LIMIT, () -> PLD.delta(laplace, 0));
    // Two scales apart, each jump is certain to be seen.
    double jump = -Math.expm1(1000 * Math.log1p(-1e-4));
    assertTrue(delta.delta() >= jump * (1 - 1e-4) && delta.delta() <= jump * 1.01, delta + "");
    Ledger mixed =
        sampled(REPLACE_ONE, 1.32115e-5, new PureDp(0.00556107), 235)
            .plus(new PoissonSampled(1.60005e-5, new Gaussian(0.0824688)), 432);
    CpuTime.within(LIMIT, () -> PLD.epsilon(mixed, 0.03662));
    for (Neighbouring relation : new Neighbouring[] {REPLACE_ONE, ZERO_OUT}) {
      Ledger fixed = Ledger.of(relation, new FixedSizeSampled(100, 10_000, new Gaussian(2)), 1000);
      Guarantee found = CpuTime.within(LIMIT, () -> PLD.epsilon(fixed, 1e-5));
      assertEquals(2.1989, found.epsilon(), 1e-3);
    }
  }

  @Test
  void epsilonOfZeroIsFoundAtOnce() {
    Ledger ledger = sampled(ADD_REMOVE, 2.677e-5, new Gaussian(0.1718), 2);
    assertEquals(0, CpuTime.within(LIMIT, () -> PLD.epsilon(ledger, 5.33e-5)).epsilon(), 1e-6);
  }

  @Test
  void groupsAndStatementsThatCostNothing() {
    Ledger ten = sampled(ADD_REMOVE, 1e-6, new Gaussian(1), 10);
    assertEquals(0, CpuTime.within(LIMIT, () -> GroupPrivacy.epsilon(PLD, ten, 2, 1e-4)).epsilon());
    Ledger five = sampled(ADD_REMOVE, 1e-9, new Gaussian(1), 5);
    PrivacyStatement quiet = CpuTime.within(LIMIT, () -> PrivacyStatement.of("row", five, 1e-5));
    assertEquals(0.01, quiet.truePositiveRate(), 1e-6);
    Ledger laplace = sampled(REPLACE_ONE, 1e-4, new Laplace(0.1), 1000);
    PrivacyStatement gap = CpuTime.within(LIMIT, () -> PrivacyStatement.of("row", laplace, 1e-5));
    assertEquals(0.1052, gap.truePositiveRate(), 1e-3);
  }
}
