package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the ledger says of Laplace noise holds of the noise on integers that is really added. */
class LaplaceLedgerTest {
  private static final double SCALE = 1.5;
  private static final int REACH = 80;

  /** The probability that Laplace noise of {@link #SCALE} steps is nearest to k. */
  private static double rounded(int k) {
    double distance = Math.abs(k);
    return k == 0
        ? -Math.expm1(-0.5 / SCALE)
        : -0.5 * Math.exp(-(distance - 0.5) / SCALE) * Math.expm1(-1 / SCALE);
  }

  /** The two-sided geometric law, which is ε-private too. */
  private static double discrete(int k) {
    return Math.tanh(0.5 / SCALE) * Math.exp(-Math.abs(k) / SCALE);
  }

  /** δ(ε) of two coordinates that neighbours move by so many steps. */
  private static double delta(IntToDoubleFunction law, int first, int second, double epsilon) {
    double delta = 0;
    for (int i = -REACH; i <= REACH; i++) {
      for (int j = -REACH; j <= REACH; j++) {
        double p = law.applyAsDouble(i) * law.applyAsDouble(j);
        double q = law.applyAsDouble(i - first) * law.applyAsDouble(j - second);
        delta += Math.max(0, p - Math.exp(epsilon) * q);
      }
    }
    return delta;
  }

  private static void assertCovered(IntToDoubleFunction law, int first, int second, Ledger ledger) {
    double most = (first + second) / SCALE;
    for (int part = 0; part < 20; part++) {
      double epsilon = most * part / 20;
      double real = delta(law, first, second, epsilon);
      double stated = new PldAccountant().delta(ledger, epsilon).delta();
      assertTrue(real <= stated + 1e-12, real + " at " + epsilon + ", stated " + stated);
    }
    assertTrue(delta(law, first, second, most + 1e-9) <= 1e-12);
  }

  /** As one vector, whose ℓ₁ sensitivity is the sum, and as two releases. */
  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "1,1", "1,2", "2,2", "1,5"})
  void theEntryCoversWhatIsReleased(int first, int second) {
    Ledger vector =
        Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(SCALE / (first + second)), 1);
    assertCovered(LaplaceLedgerTest::rounded, first, second, vector);
    if (second > 0) {
      Ledger two =
          Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(SCALE / first), 1)
              .plus(new Mechanism.Laplace(SCALE / second), 1);
      assertCovered(LaplaceLedgerTest::rounded, first, second, two);
      assertThrows(
          AssertionError.class,
          () -> assertCovered(LaplaceLedgerTest::discrete, first, second, two),
          "the discrete Laplace law costs more than the entry");
    }
  }
}
