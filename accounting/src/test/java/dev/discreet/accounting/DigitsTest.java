package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
