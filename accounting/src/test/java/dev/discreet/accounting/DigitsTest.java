package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigitsTest {

  @ParameterizedTest
  @CsvSource({
    // value, up, down, plain, exact
    "0.94681663, 0.946817, 0.946816, 0.946817, 0.94681663",
    "0.94681613, 0.946817, 0.946816, 0.946816, 0.94681613",
    "0.1, 0.1, 0.1, 0.1, 0.1",
    "1234567, 1234570, 1234560, 1234570, 1234567",
    "10000, 10000, 10000, 10000, 10000",
    "1e-5, 1e-5, 1e-5, 1e-5, 1e-5",
    "1.23456789e-5, 1.23457e-5, 1.23456e-5, 1.23457e-5, 1.23456789e-5",
    "7.26603e12, 7.26603e12, 7.26603e12, 7.26603e12, 7.26603e12",
    "0.99999999, 1, 0.999999, 1, 0.99999999",
    "0, 0, 0, 0, 0",
    "Infinity, Infinity, Infinity, Infinity, Infinity",
  })
  void roundsToTheSafeSide(double value, String up, String down, String plain, String exact) {
    assertEquals(up, Digits.up(value));
    assertEquals(down, Digits.down(value));
    assertEquals(plain, Digits.plain(value));
    assertEquals(exact, Digits.exact(value));
  }

  /** Java before 19 writes some of these with more digits than it takes. */
  @ParameterizedTest
  @CsvSource({
    "2e23, 2.0E23, 2e23",
    "8.41e21, 8.41E21, 8.41e21",
    "5.9035e20, 5.9035E20, 5.9035e20",
    "2.3058430092157911e18, 2.305843009215791E18, 2.305843009215791e18",
    "4.9e-324, 4.9E-324, 4.9e-324",
    "0.001, 0.001, 0.001",
    "9.99e-4, 9.99E-4, 0.000999",
    "1e7, 1.0E7, 10000000",
    "-0.5, -0.5, -0.5",
    "-Infinity, -Infinity, -Infinity",
  })
  void shortestOnEveryJava(double value, String shortest, String exact) {
    assertEquals(shortest, Digits.shortest(value));
    assertEquals(value, Double.parseDouble(shortest));
    assertEquals(exact, Digits.exact(value));
  }

  @Test
  void floatsToo() {
    assertEquals("2.0E15", Digits.shortest(2e15f));
    assertEquals("0.1", Digits.shortest(0.1f));
  }

  @Test
  void numbersOfRecordsAndLists() {
    assertEquals("Laplace[scale=2.0E23]", Digits.numbersIn(new Mechanism.Laplace(2e23)));
    assertEquals("[2.0E23, -1.5, 3]", Digits.numbersIn(List.of(2e23, -1.5, 3)));
    assertEquals("v1.10.0 1.20x", Digits.numbersIn("v1.10.0 1.20x"));
    String before =
        assertThrows(
                IllegalArgumentException.class,
                () -> Check.that(false, "noise", "small", new Mechanism.Laplace(2e23)))
            .getMessage();
    assertEquals("noise must be small. Provided value: Laplace[scale=2.0E23]", before);
    String typed =
        assertThrows(
                IllegalArgumentException.class, () -> Check.that(false, "noise", "small", "1.50"))
            .getMessage();
    assertEquals("noise must be small. Provided value: 1.50", typed);
  }

  @Test
  void filesToo() {
    Ledger ledger = Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(2e23), 1);
    assertTrue(ledger.toJson().contains("2.0E23"), ledger.toJson());
    assertEquals(ledger, Ledger.parse(ledger.toJson()));
  }
}
