package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger.Entry;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parallel composition: a neighbour touches one part only. */
class LedgerPartsTest {
  private static final Ledger SHARED = Ledgers.addRemove(new Gaussian(5), 3);
  private static final Ledger CHEAP = Ledgers.addRemove(new Laplace(20), 10);
  private static final Ledger DEAR =
      Ledgers.addRemove(new PoissonSampled(0.1, new Gaussian(1)), 50);
  private static final Ledger LEDGER =
      SHARED.plus(CHEAP.onPart("north")).plus(DEAR.onPart("south"));

  static Stream<Accountant> accountants() {
    return Accountants.all().stream();
  }

  @ParameterizedTest
  @MethodSource("accountants")
  void costIsThatOfTheWorstPartWithWhatAllShare(Accountant accountant) {
    double worst = accountant.epsilon(SHARED.plus(DEAR), 1e-5).epsilon();
    assertTrue(worst > accountant.epsilon(SHARED.plus(CHEAP), 1e-5).epsilon());
    assertEquals(worst, accountant.epsilon(LEDGER, 1e-5).epsilon());
    // The order of the parts does not matter.
    Ledger turned = SHARED.plus(DEAR.onPart("south")).plus(CHEAP.onPart("north"));
    assertEquals(worst, accountant.epsilon(turned, 1e-5).epsilon());
  }

  @ParameterizedTest
  @MethodSource("accountants")
  void deltaIsThatOfTheWorstPart(Accountant accountant) {
    double worst = accountant.delta(SHARED.plus(DEAR), 3).delta();
    assertTrue(worst > accountant.delta(SHARED.plus(CHEAP), 3).delta());
    assertEquals(worst, accountant.delta(LEDGER, 3).delta());
  }

  @Test
  void tenPartsCostWhatOneCosts() {
    Ledger ledger = Ledger.empty(ADD_REMOVE);
    for (int i = 0; i < 10; i++) {
      ledger = ledger.plus(DEAR.onPart("part " + i));
    }
    PldAccountant pld = new PldAccountant();
    assertEquals(pld.epsilon(DEAR, 1e-5), pld.epsilon(ledger, 1e-5));
  }

  @Test
  void whatEachPartSees() {
    assertEquals(List.of(SHARED.plus(CHEAP), SHARED.plus(DEAR)), LEDGER.perPart());
    assertEquals(List.of(SHARED), SHARED.perPart());
    assertEquals(List.of(Ledger.empty(ADD_REMOVE)), Ledger.empty(ADD_REMOVE).perPart());
  }

  /** A part is printed in statements that others sign: it must not be able to add a line. */
  @ParameterizedTest
  @ValueSource(strings = {"a\n\nPromise: all", "a\r", "a\t", "a\u0085b", "a\u2028b", "a\u2029b"})
  void partsAreOnOneLine(String part) {
    String message =
        "part must be a name on one line. Provided value: "
            + part.replaceAll("[\\n\\r\\t\u0085\u2028\u2029]", "?");
    Expect.refused(message, () -> DEAR.onPart(part));
    String json =
        DEAR.onPart("PLACE")
            .toJson()
            .replace("PLACE", String.format("a\\u%04x", (int) part.charAt(1)));
    assertThrows(IllegalArgumentException.class, () -> Ledger.parse(json));
  }

  @Test
  void equalEntriesOfDifferentPartsStayApart() {
    Ledger both = DEAR.onPart("a").plus(DEAR.onPart("b")).plus(DEAR.onPart("b")).plus(DEAR);
    assertEquals(List.of(50L, 100L, 50L), both.entries().stream().map(Entry::count).toList());
    assertEquals(List.of("a", "b", ""), both.entries().stream().map(Entry::part).toList());
  }

  @Test
  void aPartHasANameAndIsGivenOnce() {
    Expect.refused("part must be not empty. Provided value: \"\"", () -> DEAR.onPart(""));
    Expect.refused(
        "part must be given once. Provided value: b", () -> DEAR.onPart("a").onPart("b"));
  }
}
