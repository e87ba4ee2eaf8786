package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.Alarm;
import dev.discreet.core.privacy.Randomness;
import java.math.BigDecimal;
import org.hipparchus.dfp.Dfp;
import org.hipparchus.dfp.DfpField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyOddsTest {
  private static final DfpField FIELD = new DfpField(100);

  private static Dfp number(String value) {
    return FIELD.newDfp(value);
  }

  /** The double's own value. */
  private static Dfp exactly(double value) {
    return FIELD.newDfp(new BigDecimal(value).toPlainString());
  }

  private static Dfp chance(KeyOdds odds, long units) {
    return FIELD.newDfp(odds.exact(units).toString()).divide(FIELD.newDfp(KeyOdds.ONE.toString()));
  }

  /**
   * Theorem 2 of Desfontaines, Voss, Gipson and Mandayam (2022), in 100 decimal digits: the odds
   * are those of its closed form, less what rounding δ and each chance down to 2^−124 takes away.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1e-5, 1",
    "0.1, 1e-10, 1",
    "2.5, 1e-8, 5",
    "0.01, 1e-6, 1",
    "5, 0.01, 1",
    "1, 0.3, 1",
    "40, 1e-12, 2"
  })
  void theChancesAreThoseOfTheClosedForm(double epsilon, double delta, int keys) {
    KeyOdds odds = KeyOdds.of(epsilon, delta, keys);
    Dfp one = FIELD.getOne();
    Dfp each = exactly(epsilon).divide(keys);
    Dfp failure = exactly(delta).divide(keys);
    Dfp ratio = each.exp();
    Dfp rise = ratio.subtract(one);
    long first =
        1
            + ratio
                .add(failure.multiply(2))
                .subtract(one)
                .divide(ratio.add(one).multiply(failure))
                .log()
                .divide(each)
                .floor()
                .intValue();
    Dfp atFirst = each.multiply((int) first).exp().subtract(one).divide(rise).multiply(failure);
    long last =
        first
            + one.add(rise.divide(failure).multiply(one.subtract(atFirst)))
                .log()
                .divide(each)
                .floor()
                .intValue();
    for (long n = 0; n <= last + 2; n++) {
      Dfp expected;
      if (n <= first) {
        expected = each.multiply((int) n).exp().subtract(one).divide(rise).multiply(failure);
      } else if (n <= last) {
        Dfp falling = each.multiply((int) (first - n)).exp();
        expected =
            one.subtract(falling)
                .multiply(one.add(failure.divide(rise)))
                .add(falling.multiply(atFirst));
      } else {
        expected = one;
      }
      Dfp missing = expected.subtract(chance(odds, n));
      String where = n + " units: " + expected + " and " + chance(odds, n);
      assertTrue(!missing.lessThan(number("-1e-60")), where);
      assertTrue(missing.lessThan(number("1e-36").divide(failure)), where);
    }
    assertEquals(last + 1, odds.certain(), 1);
  }

  /** What (ε, δ)-privacy asks of each key, of the draws' own chances. */
  @ParameterizedTest
  @CsvSource({"1, 1e-5, 1", "0.05, 1e-7, 2", "3, 0.2, 1", "700, 1e-20, 1"})
  void oneUnitMoreNeverCostsMore(double epsilon, double delta, int keys) {
    KeyOdds odds = KeyOdds.of(epsilon, delta, keys);
    Dfp ratio = exactly(epsilon).divide(keys).exp();
    Dfp failure = exactly(delta).divide(keys);
    Dfp one = FIELD.getOne();
    assertTrue(chance(odds, 0).isZero());
    for (long n = 0; n <= odds.certain() + 1; n++) {
      Dfp less = chance(odds, n);
      Dfp more = chance(odds, n + 1);
      assertTrue(!more.lessThan(less), n + " rises");
      assertTrue(!more.greaterThan(ratio.multiply(less).add(failure)), n + " shown");
      assertTrue(
          !one.subtract(less).greaterThan(ratio.multiply(one.subtract(more)).add(failure)),
          n + " hidden");
    }
    assertEquals(KeyOdds.ONE, odds.exact(odds.certain()));
    assertTrue(odds.exact(odds.certain() - 1).compareTo(KeyOdds.ONE) < 0);
  }

  /** 100,000 draws each; false alarm 1e-9. */
  @Test
  @Tag("statistical")
  void keysAreShownAsOftenAsTheyShould() {
    KeyOdds odds = KeyOdds.of(1, 0.05, 1);
    ExactDraws draws = new ExactDraws(Randomness.insecure(3).dice("keys"));
    for (long n = 1; n < odds.certain(); n++) {
      int shown = 0;
      for (int i = 0; i < 100_000; i++) {
        shown += draws.shows(odds, n) ? 1 : 0;
      }
      double p = odds.chance(n);
      double deviation = Math.sqrt(100_000 * p * (1 - p));
      Alarm.normal(n + " units", 100_000 * p, deviation, shown);
      int seen = shown;
      assertThrows(
          AssertionError.class,
          () -> Alarm.normal("wrong", 100_000 * p / 1.2, deviation, seen),
          "a chance that is a fifth larger is seen");
    }
    for (int i = 0; i < 1000; i++) {
      assertTrue(!draws.shows(odds, 0));
      assertTrue(draws.shows(odds, odds.certain()) && draws.shows(odds, Long.MAX_VALUE));
    }
  }

  @Test
  void whatBuysNoSelectionIsRefused() {
    for (double[] bad :
        new double[][] {
          {0.0009, 1e-6, 1},
          {1, 0, 1},
          {1, 1, 1},
          {Double.NaN, 0.1, 1},
          {1, 1e-25, 1},
          {0.1, 1e-6, 1000},
          {1001, 0.1, 1},
          {1, Double.NaN, 1},
          {1, 0.1, 0}
        }) {
      assertThrows(IllegalArgumentException.class, () -> KeyOdds.of(bad[0], bad[1], (long) bad[2]));
    }
  }
}
