package dev.discreet.audit.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneRunBoundTest {
  private static final MathContext DIGITS = new MathContext(60);

  /** The theorem, term by term with 60 digits, for e^ε a whole number. */
  private static double exact(int canaries, int guesses, int right, long odds, double delta) {
    BigDecimal all = BigDecimal.valueOf(1 + odds).pow(guesses);
    BigDecimal tail = BigDecimal.ZERO;
    for (int k = right; k <= guesses; k++) {
      tail = tail.add(ways(guesses, k, odds));
    }
    BigDecimal worst = BigDecimal.ZERO;
    BigDecimal below = BigDecimal.ZERO;
    for (int i = 1; i <= right; i++) {
      below = below.add(ways(guesses, right - i, odds));
      worst = worst.max(below.divide(BigDecimal.valueOf(i), DIGITS));
    }
    BigDecimal extra = worst.multiply(BigDecimal.valueOf(2.0 * canaries * delta));
    return Math.min(1, tail.add(extra).divide(all, DIGITS).doubleValue());
  }

  private static BigDecimal ways(int n, int k, long odds) {
    BigInteger number = BigInteger.ONE;
    for (int i = 1; i <= k; i++) {
      number = number.multiply(BigInteger.valueOf(n - i + 1)).divide(BigInteger.valueOf(i));
    }
    return new BigDecimal(number.multiply(BigInteger.valueOf(odds).pow(k)));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10, 10, 1, 0",
    "100, 40, 33, 3, 1e-3",
    "1000, 100, 90, 5, 1e-5",
    "1000, 1000, 700, 2, 1e-5",
    "64, 16, 0, 2, 0.01",
    "500, 500, 499, 20, 1e-6"
  })
  void theChanceIsThatOfTheTheorem(int m, int r, int v, long odds, double delta) {
    double expected = exact(m, r, v, odds, delta);
    double found = OneRunBound.chance(m, r, v, Math.log(odds), delta);
    assertEquals(expected, found, 1e-10 * Math.max(expected, 1e-12), "chance");
  }

  /** Where all guesses are right and δ is 0, the bound is known: (e^ε/(1+e^ε))^r = error rate. */
  @Test
  void allGuessesRightProveWhatTheyCan() {
    double each = Math.pow(0.05, 1.0 / 200);
    double epsilon = Math.log(each / (1 - each));
    assertEquals(epsilon, OneRunBound.of(1000, 200, 200, 0, 0.05).epsilon(), 1e-9);
    assertTrue(epsilon > 4.1 && epsilon < 4.3);
    assertEquals(0, OneRunBound.of(1000, 200, 100, 0, 0.05).epsilon());
    assertEquals(0, OneRunBound.of(1000, 0, 0, 1e-5, 0.05).epsilon());
  }

  @Test
  void aGrantedDeltaAndMoreCanariesProveLess() {
    double none = OneRunBound.of(1000, 200, 180, 0, 0.05).epsilon();
    double some = OneRunBound.of(1000, 200, 180, 1e-5, 0.05).epsilon();
    double more = OneRunBound.of(100_000, 200, 180, 1e-5, 0.05).epsilon();
    assertTrue(none > some && some > more && more > 0, none + " " + some + " " + more);
  }

  /** A randomised response is as private as the theorem's worst case: it must hold, and barely. */
  @Test
  void randomisedResponseIsTheWorstCase() {
    double epsilon = Math.log(3);
    assertTrue(OneRunBound.of(10_000, 10_000, 7_500, 0, 0.05).epsilon() < epsilon);
    assertTrue(OneRunBound.of(10_000, 10_000, 7_500, 0, 0.05).epsilon() > 0.95 * epsilon);
    assertTrue(OneRunBound.of(10_000, 10_000, 7_750, 0, 0.05).epsilon() > epsilon);
  }

  @Test
  void whatNoRunHasIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> OneRunBound.of(10, 11, 1, 1e-5, 0.05));
    assertThrows(IllegalArgumentException.class, () -> OneRunBound.of(10, 5, 6, 1e-5, 0.05));
  }
}
