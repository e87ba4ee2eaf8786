package dev.discreet.accounting.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.calibration.DefaultDelta;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which promises are called weak, and the δ that none is. */
class WeakPromiseTest {

  private static Guarantee promise(double lower, double epsilon, double delta) {
    return Guarantee.epsilonAt(delta, lower, epsilon, "pld", "");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1e-5",
    "9999, 1e-5",
    "10000, 1e-5",
    "10001, 1e-6",
    "20000, 1e-6",
    "60000, 1e-6",
    "100000, 1e-6",
    "100001, 1e-7",
    "2147479552, 1e-11",
  })
  void theDefaultIsAPowerOfTen(long units, double delta) {
    assertEquals(delta, DefaultDelta.of(units));
    assertEquals(List.of(), WeakPromise.of(promise(1, 1, delta), "example", units));
  }

  @Test
  void aLargeEpsilonIsWeak() {
    assertEquals(List.of(), WeakPromise.of(promise(9.99, 10, 1e-6), "patient", 60_000));
    List<String> weak = WeakPromise.of(promise(10, 10.01, 1e-6), "patient", 60_000);
    assertEquals(
        List.of(
            "epsilon is above 10: a result may be 22,248 times as likely because of one patient"),
        weak);
    assertEquals(List.of(), WeakPromise.of(promise(0, Double.POSITIVE_INFINITY, 1e-6), "row", 9));
  }

  @Test
  void aLargeDeltaIsWeakWhereTheNumberIsKnown() {
    assertEquals(List.of(), WeakPromise.of(promise(1, 1, 1e-5), "row", 0));
    assertEquals(List.of(), WeakPromise.of(promise(1, 1, 1e-5), "row", 10_000));
    assertEquals(
        List.of(
            "delta is above 1/(10 x 60,000): it would allow to publish with probability 0.6 one of"
                + " 60,000 rows as they are; the default is 1e-6"),
        WeakPromise.of(promise(1, 1, 1e-5), "row", 60_000));
    String several = WeakPromise.of(promise(1, 1, 1e-3), "row", 60_000).get(0);
    assertTrue(several.contains("publish 60 of 60,000 rows"), several);
  }

  @Test
  void endsThatAreFarApartAreWeak() {
    assertEquals(List.of(), WeakPromise.of(promise(0, 2, 1e-6), "row", 9));
    assertEquals(List.of(), WeakPromise.of(promise(2, 2.4, 1e-6), "row", 9));
    Mechanism gap = new FixedSizeSampled(256, 60_000, new Gaussian(2.2));
    Guarantee wide = new PldAccountant().epsilon(Ledgers.addRemove(gap, 14_062), 1e-6);
    String said = WeakPromise.of(wide, "row", 60_000).get(0);
    assertTrue(said.contains("the upper end is far from the lower"), said);
  }

  /** Right below the promise, and in no statement that is not weak. */
  @Test
  void statementsSayIt() {
    Ledger little = Ledgers.addRemove(new Gaussian(0.3), 1);
    String text = PrivacyStatement.of("row", little, 1e-5).among(60_000).text();
    String weak = text.replaceAll("\\s+", " ");
    assertTrue(weak.contains("WEAK PROMISE: epsilon is above 10: a result may be"), text);
    assertTrue(weak.contains("WEAK PROMISE: delta is above 1/(10 x 60,000)"), text);
    assertTrue(text.indexOf("WEAK PROMISE") < text.indexOf("What that means"), text);
    Ledger much = Ledgers.addRemove(new Gaussian(9), 1);
    String strong = PrivacyStatement.of("row", much, 1e-6).among(60_000).text();
    assertFalse(strong.contains("WEAK"), strong);
  }
}
