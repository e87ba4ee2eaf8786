package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * moments ≥ rdp, and every certified accountant at or above pld's lower end: each answer is an
 * upper bound of the same number.
 */
class AccountantOrderTest {
  private static final int CASES = 30;

  private static double logUniform(Random random, double low, double high) {
    return low * Math.pow(high / low, random.nextDouble());
  }

  static Stream<Arguments> settings() {
    Random random = new Random(7);
    List<Arguments> all = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      all.add(
          Arguments.of(
              logUniform(random, 0.3, 30),
              logUniform(random, 1e-4, 1),
              (long) logUniform(random, 1, 1e5),
              logUniform(random, 1e-12, 0.3)));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void upperEndsAreAboveTheLowerEnd(double sigma, double q, long steps, double delta) {
    Ledger ledger = Ledgers.poisson(sigma, q, steps);
    Guarantee pld = new PldAccountant().epsilon(ledger, delta);
    double rdp = new RdpAccountant().epsilon(ledger, delta).epsilon();
    double moments = new MomentsAccountant().epsilon(ledger, delta).epsilon();
    double strong = TheoremAccountant.strong().epsilon(ledger, delta).epsilon();
    double sequential = TheoremAccountant.sequential().epsilon(ledger, delta).epsilon();
    assertTrue(pld.epsilonLower() <= pld.epsilon());
    assertTrue(rdp >= pld.epsilonLower(), "rdp " + rdp + " below " + pld);
    assertTrue(pld.epsilon() <= rdp * (1 + 1e-3), "pld is looser than rdp " + rdp + ": " + pld);
    assertTrue(moments >= rdp * (1 - 1e-12), "moments " + moments + " below rdp " + rdp);
    assertTrue(strong >= pld.epsilonLower(), "strong " + strong + " below " + pld);
    assertTrue(sequential >= strong, "sequential " + sequential + " below strong " + strong);
  }
}
