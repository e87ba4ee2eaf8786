package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuaranteeTest {

  @Test
  void endsAreInOrder() {
    assertThrows(IllegalArgumentException.class, () -> new Guarantee(2, 1, 0, 0, "x", ""));
    assertThrows(IllegalArgumentException.class, () -> new Guarantee(-1, 1, 0, 0, "x", ""));
    assertThrows(IllegalArgumentException.class, () -> new Guarantee(1, 1, 0.2, 0.1, "x", ""));
    assertThrows(IllegalArgumentException.class, () -> new Guarantee(0, Double.NaN, 0, 0, "x", ""));
    assertThrows(IllegalArgumentException.class, () -> new Guarantee(0, 0, 0, Double.NaN, "x", ""));
  }

  /** Ends that contradict each other are a mistake that tests must see. */
  @Test
  void crossedEndsAreNotHidden() {
    assertThrows(AssertionError.class, () -> Guarantee.epsilonAt(1e-5, 2, 1, "x", ""));
    assertThrows(AssertionError.class, () -> Guarantee.deltaAt(1, 2e-5, 1e-5, "x", ""));
    // Rounding is no contradiction.
    assertEquals(1, Guarantee.epsilonAt(1e-5, 1 + 1e-12, 1, "x", "").epsilonLower());
  }

  @Test
  void textHasBothEndsAndTheNote() {
    String text = new Guarantee(1.5, 2.5, 1e-5, 1e-5, "rdp", "best order 7").toString();
    for (String part : List.of("<= 2.5", "1.5", "rdp", "best order 7")) {
      assertTrue(text.contains(part), text);
    }
    // A round δ is printed as it was given.
    Matcher delta = Pattern.compile("delta <= ([0-9.Ee-]+)").matcher(text);
    assertTrue(delta.find(), text);
    assertEquals(1e-5, Double.parseDouble(delta.group(1)), text);
  }

  /** "epsilon <= x" must be true of the x that is printed. */
  @Test
  void textRoundsToTheSafeSide() {
    String text = new Guarantee(0.12345651, 0.12345741, 0, 0, "pld", "").toString();
    Matcher ends =
        Pattern.compile("epsilon <= ([0-9.Ee-]+) \\(at least ([0-9.Ee-]+)\\)").matcher(text);
    assertTrue(ends.find(), text);
    assertTrue(new BigDecimal(ends.group(1)).compareTo(new BigDecimal("0.12345741")) >= 0, text);
    assertTrue(new BigDecimal(ends.group(2)).compareTo(new BigDecimal("0.12345651")) <= 0, text);
  }

  @Test
  void approximationsSayWhatTheyAre() {
    String text = new Approximation(1.5, 1e-5, "gdp", "").toString();
    assertTrue(text.contains("approximation, not a guarantee"), text);
  }

  @Test
  void accountantsByName() {
    List<String> names = Accountants.all().stream().map(Accountant::name).toList();
    assertEquals(List.of("pld", "rdp", "moments", "strong", "sequential", "gdp"), names);
    for (Accountant accountant : Accountants.all()) {
      assertSame(accountant, Accountants.named(accountant.name()));
      assertEquals(
          accountant.name(), accountant.epsilon(Ledgers.poisson(1, 0.1, 2), 0.1).accountant());
    }
    Expect.refused(
        "accountant must be one of pld, rdp, moments, strong, sequential, gdp. Provided value: rdq",
        () -> Accountants.named("rdq"));
  }

  @Test
  void toleranceIsChecked() {
    Expect.refused(
        "tolerance must be greater than 0. Provided value: 0", () -> new PldAccountant(0));
    Expect.refused(
        "tolerance must be greater than 0. Provided value: NaN",
        () -> new PldAccountant(Double.NaN));
  }
}
