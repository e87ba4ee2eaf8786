package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static dev.discreet.accounting.Neighbouring.REPLACE_ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.accounting.Ledger.Entry;
import dev.discreet.accounting.Mechanism.Gaussian;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
  private static final Gaussian A = new Gaussian(1);
  private static final Gaussian B = new Gaussian(2);

  @Test
  void isImmutable() {
    List<Entry> entries = new ArrayList<>(List.of(new Entry(A, 1)));
    Ledger ledger = new Ledger(ADD_REMOVE, entries);
    entries.add(new Entry(B, 1));
    assertEquals(List.of(new Entry(A, 1)), ledger.entries());
    assertThrows(UnsupportedOperationException.class, () -> ledger.entries().clear());

    Ledger longer = ledger.plus(B, 3);
    assertEquals(List.of(new Entry(A, 1)), ledger.entries());
    assertEquals(List.of(new Entry(A, 1), new Entry(B, 3)), longer.entries());
  }

  @Test
  void keepsTheOrderAndMergesEqualNeighboursOnly() {
    Ledger ledger =
        Ledger.empty(ADD_REMOVE)
            .plus(A, 1)
            .plus(A, 2)
            .plus(B, 4)
            .plus(A, 5)
            .plus(new Gaussian(1), 6);
    assertEquals(List.of(new Entry(A, 3), new Entry(B, 4), new Entry(A, 11)), ledger.entries());
  }

  @Test
  void totalsForgetTheOrderOfRepeats() {
    Ledger ledger = Ledger.empty(ADD_REMOVE).plus(A, 3).plus(B, 4).plus(A, 11);
    assertEquals(Map.of(A, 14L, B, 4L), ledger.totals());
    assertEquals(List.of(A, B), List.copyOf(ledger.totals().keySet()));
  }

  @Test
  void ledgersCompose() {
    Ledger first = Ledger.of(ADD_REMOVE, A, 2).plus(B, 1);
    Ledger second = Ledger.of(ADD_REMOVE, B, 1).plus(A, 7);
    assertEquals(
        List.of(new Entry(A, 2), new Entry(B, 2), new Entry(A, 7)), first.plus(second).entries());
    assertEquals(first, first.plus(Ledger.empty(ADD_REMOVE)));
    assertEquals(first, Ledger.empty(ADD_REMOVE).plus(first));
  }

  @Test
  void relationsDoNotMix() {
    Expect.refused(
        "neighbouring must be add/remove. Provided value: replace-one",
        () -> Ledger.empty(ADD_REMOVE).plus(Ledger.empty(REPLACE_ONE)));
    Expect.refused(
        "neighbouring must be one of add/remove, replace-one, zero-out. Provided value: null",
        () -> Ledger.empty(null));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void stepsAreAtLeastOne(long count) {
    Expect.refused(
        "steps must be a whole number of at least 1. Provided value: " + count,
        () -> Ledger.of(ADD_REMOVE, A, count));
  }

  @Test
  void nothingIsNoMechanism() {
    Expect.refused(
        "mechanism must be given. Provided value: null", () -> Ledger.of(ADD_REMOVE, null, 1));
  }

  /** More steps than a long holds are refused like every other bad argument. */
  @Test
  void countsDoNotOverflow() {
    Ledger most = Ledger.of(ADD_REMOVE, A, Long.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> most.plus(A, 1));
  }

  /** One list, not one for each entry: the square of these would take minutes. */
  @Test
  void longLedgersCompose() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      entries.add(new Entry(new Gaussian(1 + i), 1));
    }
    Ledger ledger = new Ledger(ADD_REMOVE, entries);
    assertEquals(600_000, CpuTime.within(10, () -> ledger.plus(ledger)).entries().size());
  }
}
