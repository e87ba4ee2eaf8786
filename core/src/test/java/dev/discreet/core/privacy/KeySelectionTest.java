package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.KeySelection.Counts;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeySelectionTest {
  private static final Mechanism.Gaussian GAUSSIAN = new Mechanism.Gaussian(4);
  private static final Mechanism.Laplace LAPLACE = new Mechanism.Laplace(2);

  private static Counts<String> counts(Norm norm, long keys, long most, Object... each) {
    SortedMap<String, Long> counts = new TreeMap<>();
    for (int i = 0; i < each.length; i += 2) {
      counts.put((String) each[i], ((Number) each[i + 1]).longValue());
    }
    return new Counts<>(counts, norm, 1, keys, most);
  }

  @Test
  void whatManyShareIsShownAndWhatOneHasIsNot() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      KeySelection selection = new KeySelection(GAUSSIAN, 1e-9);
      SortedMap<String, Long> shown =
          selection.release(
              session, id -> counts(Norm.L2, 1, 1, "north", 500, "Zoe Smith", 1, "south", 700));
      assertEquals(List.of("north", "south"), List.copyOf(shown.keySet()));
      assertEquals(500, shown.get("north"), 40);
      assertTrue(selection.release(session, id -> counts(Norm.L2, 1, 1)).isEmpty());
    }
  }

  @Test
  void bothPartsAreChargedBeforeAnythingIsCounted() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      KeySelection selection = new KeySelection(LAPLACE, 1e-6);
      Ledger cost =
          Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.ApproximateDp(0, 1e-6), 1)
              .plus(LAPLACE, 1);
      assertEquals(cost.totals(), selection.cost(Neighbouring.ADD_REMOVE).totals());
      selection.release(
          session,
          id -> {
            assertEquals(cost, session.ledger());
            return counts(Norm.L1, 1, 1, "a", 1);
          });
    }
  }

  /** Held against the tails of commons-statistics. */
  @Test
  void theThresholdLeavesTheChanceToOneUnit() {
    NormalDistribution normal = NormalDistribution.of(0, 4 * 3);
    LaplaceDistribution laplace = LaplaceDistribution.of(0, 2 * 3);
    for (double delta : new double[] {1e-3, 1e-7, 1e-12}) {
      for (long keys : new long[] {1, 5}) {
        for (long most : new long[] {1, 3}) {
          long gaussian = new KeySelection(GAUSSIAN, delta).threshold(3, keys, most);
          double passes = keys * normal.survivalProbability(gaussian - 0.5 - most);
          double sooner = keys * normal.survivalProbability(gaussian - 1.5 - most);
          assertTrue(passes <= delta && sooner > delta, gaussian + ": " + passes);
          long other = new KeySelection(LAPLACE, delta).threshold(3, keys, most);
          passes = keys * laplace.survivalProbability(other - 0.5 - most);
          sooner = keys * laplace.survivalProbability(other - 1.5 - most);
          assertTrue(passes <= delta && sooner > delta, other + ": " + passes);
        }
      }
    }
  }

  /** 20,000 keys of one unit each: how many are shown has the law that the threshold promises. */
  @Test
  @Tag("statistical")
  void keysOfOneUnitPassAsOftenAsTheyMay() {
    SortedMap<String, Long> alone = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      alone.put("k" + i, 1L);
    }
    KeySelection selection = new KeySelection(GAUSSIAN, 0.05);
    long threshold = selection.threshold(1, 1, 1);
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      int shown = selection.release(session, id -> new Counts<>(alone, Norm.L2, 1, 1, 1)).size();
      double chance = NormalDistribution.of(1, 4).survivalProbability(threshold - 0.5);
      assertTrue(chance <= 0.05 && chance > 0.03, "" + chance);
      check(chance, shown);
      assertThrows(AssertionError.class, () -> check(chance / 2, shown));
    }
  }

  private static void check(double chance, int shown) {
    Alarm.normal("shown", 20_000 * chance, Math.sqrt(20_000 * chance * (1 - chance)), shown);
  }

  @Test
  void whatItCannotPromiseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new KeySelection(GAUSSIAN, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new KeySelection(new Mechanism.EstimatedNormGaussian(1, 4), 1e-6));
    assertThrows(IllegalArgumentException.class, () -> counts(Norm.L2, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> counts(Norm.L2, 1, 0));
  }
}
