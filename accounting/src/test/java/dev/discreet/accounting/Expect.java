package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Assertions that many tests share. */
public final class Expect {
  private Expect() {}

  /** Equal up to {@code tolerance} times the expected value. */
  public static void relative(double expected, double actual, double tolerance) {
    assertEquals(expected, actual, Math.abs(expected) * tolerance);
  }

  /** The certified bracket of ε holds {@code exact}, which is itself known to {@code precision}. */
  public static void epsilonInside(Guarantee answer, double exact, double precision) {
    assertTrue(
        answer.epsilonLower() <= exact * (1 + precision)
            && exact * (1 - precision) <= answer.epsilon(),
        () -> exact + " is outside of [" + answer.epsilonLower() + ", " + answer.epsilon() + "]");
  }

  /** The certified bracket of δ holds {@code exact}, which is itself known to {@code precision}. */
  public static void deltaInside(Guarantee answer, double exact, double precision) {
    assertTrue(
        answer.deltaLower() <= exact * (1 + precision) && exact * (1 - precision) <= answer.delta(),
        () -> exact + " is outside of [" + answer.deltaLower() + ", " + answer.delta() + "]");
  }

  /** The limit on the width of a bracket. */
  public static void narrow(Guarantee answer) {
    double width = answer.epsilon() - answer.epsilonLower();
    assertTrue(
        width <= Math.max(1e-3, 1e-3 * answer.epsilon()), () -> "width " + width + " of " + answer);
  }

  public static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }
}
