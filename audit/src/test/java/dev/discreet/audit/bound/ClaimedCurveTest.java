package dev.discreet.audit.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.math.Normal;
import dev.discreet.accounting.statement.TradeOff;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimedCurveTest {

  private static Ledger ledger(Mechanism mechanism) {
    return Ledger.of(Neighbouring.ADD_REMOVE, mechanism, 1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-4, 0.01, 0.1, 0.3, 0.5, 0.9})
  void liesOnOrLittleAboveTheTradeOff(double falsePositiveRate) {
    Ledger gaussian = ledger(new Mechanism.Gaussian(1));
    double found = ClaimedCurve.of(gaussian).truePositiveRate(falsePositiveRate);
    double exact = Normal.tail(Normal.tailQuantile(falsePositiveRate) - 1);
    assertTrue(found >= exact && found <= 1.03 * exact, found + " against " + exact);
    double certified = TradeOff.of(gaussian).truePositiveRate(falsePositiveRate);
    assertEquals(certified, found, 0.03 * certified);
  }

  @Test
  void theCurveOfAPureMechanismHasItsCorner() {
    ClaimedCurve coin = ClaimedCurve.of(ledger(new Mechanism.PureDp(1)));
    double corner = 1 / (1 + Math.E);
    assertEquals(1 - corner, coin.truePositiveRate(corner), 1e-9);
    assertEquals(0.1 * Math.E, coin.truePositiveRate(0.1), 1e-9);
    assertEquals(0, coin.truePositiveRate(0), 1e-12);
    assertEquals(1, coin.truePositiveRate(1), 1e-12);
  }

  /** A claim whose δ never falls is a claim all the same. */
  @Test
  void theCurveOfADeltaOfItsOwnHasItsCorner() {
    ClaimedCurve curve = ClaimedCurve.of(ledger(new Mechanism.ApproximateDp(1, 0.2)));
    assertEquals(0.2, curve.truePositiveRate(0), 1e-3);
    assertEquals(0.2 + 0.1 * Math.E, curve.truePositiveRate(0.1), 1e-3);
    assertEquals(1, curve.truePositiveRate(0.9), 1e-3);
  }

  /** Far out, an accountant need not know better than 1. That says nothing of the rest. */
  @Test
  void aCurveOfLotsOfFixedSizeIsAClaim() {
    ClaimedCurve curve =
        ClaimedCurve.of(
            ledger(new Mechanism.FixedSizeSampled(12, 16, new Mechanism.Gaussian(1.12))));
    assertTrue(curve.truePositiveRate(0) < 1e-6);
    assertTrue(curve.truePositiveRate(0.1) < 0.9);
  }

  @Test
  void nothingRefutesAClaimOfNothing() {
    ClaimedCurve nothing = ClaimedCurve.of(ledger(new Mechanism.Gaussian(0)));
    assertEquals(1, nothing.truePositiveRate(0.5));
    ScoreSample apart =
        new ScoreSample(new Random(1).doubles(100, 1, 2).toArray(), new double[100]);
    assertFalse(nothing.refutedBy(apart, 1e-6));
    assertTrue(ClaimedCurve.of(1, 0.1).refutedBy(apart, 1e-6));
  }

  /** False alarm: 1e-6 each. Miss: below 1e-6; claims that are 20% too small are refuted. */
  @Test
  @Tag("statistical")
  void refutesWhatIsTooSmallAndNothingElse() {
    Random random = new Random(22);
    double[] with = random.doubles(40_000).map(any -> random.nextGaussian() + 1).toArray();
    double[] without = random.doubles(40_000).map(any -> random.nextGaussian()).toArray();
    ScoreSample scores = new ScoreSample(with, without);
    assertFalse(ClaimedCurve.of(ledger(new Mechanism.Gaussian(1))).refutedBy(scores, 1e-6));
    assertTrue(ClaimedCurve.of(ledger(new Mechanism.Gaussian(1.2))).refutedBy(scores, 1e-6));
    ScoreSample swapped = new ScoreSample(without, with);
    assertTrue(ClaimedCurve.of(ledger(new Mechanism.Gaussian(1.2))).refutedBy(swapped, 1e-6));
  }
}
