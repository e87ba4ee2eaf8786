package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is not a ledger is refused by name, and never read as something cheaper. */
class LedgerJsonRefusalTest {
  private static final String PURE = "{'type':'pure','epsilon':1}";

  /** A ledger of one entry; single quotes stand for double ones. */
  private static String ledger(String mechanism, String count) {
    return ("{'neighbouring':'add/remove','entries':[{'mechanism':%s,'count':%s}]}")
        .formatted(mechanism, count);
  }

  private static Ledger parse(String json) {
    return Ledger.parse(json.replace('\'', '"'));
  }

  private static void refused(String message, String json) {
    Expect.refused(message.replace('\'', '"'), () -> parse(json));
  }

  @Test
  void theFormBelowIsReadable() {
    assertEquals(Ledgers.addRemove(new Mechanism.PureDp(1), 2), parse(ledger(PURE, "2")));
    // Some writers spell every number with a point.
    assertEquals(Ledgers.addRemove(new Mechanism.PureDp(1), 2), parse(ledger(PURE, "2.0")));
  }

  /** One sentence with the place, in our own words. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | line 1, column 1 (it ends too early)",
        "{ | line 1, column 2 (it ends too early)",
        "[1, | line 1, column 4 (it ends too early)",
        "nonsense | line 1, column 1 (not expected there)",
        "{'neighbouring':'add/remove','entries':[} | line 1, column 41 (not expected there)",
        "`{\n 'a' 1}` | line 2, column 6 (not expected there)",
        "{'a':1,'a':2} | line 1, column 12 (a field is given twice)",
      })
  void malformed(String json, String place) {
    refused("ledger must be JSON. Provided value: text that breaks at " + place, json);
  }

  @Test
  void nullIsNoLedger() {
    assertThrows(IllegalArgumentException.class, () -> Ledger.parse(null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | ledger must be a JSON object. Provided value: []",
        "null | ledger must be a JSON object. Provided value: null",
        "{'entries':[]} | ledger field neighbouring must be given. Provided value: none",
        "{'neighbouring':'add/remove'} | ledger field entries must be given. Provided value: none",
        "{'neighbouring':1,'entries':[]} | neighbouring must be a string. Provided value: 1",
        "{'neighbouring':'add/remove','entries':{}} | entries must be a list. Provided value: {}",
        "{'neighbouring':'add/remove','entries':[3]}"
            + " | ledger entry must be a JSON object. Provided value: 3",
        "{'neighbouring':'both','entries':[]}"
            + " | neighbouring must be one of add/remove, replace-one, zero-out. Provided value: both",
      })
  void wrongShape(String json, String message) {
    refused(message, json);
  }

  @Test
  void unknownFields() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> parse("{'neighbouring':'add/remove','entries':[],'epsilon':1}"))
            .getMessage();
    assertTrue(message.startsWith("ledger field must be one of "), message);
    assertTrue(message.endsWith(". Provided value: epsilon"), message);
    refused(
        "mechanism field must be one of [epsilon, type]. Provided value: delta",
        ledger("{'type':'pure','epsilon':1,'delta':0}", "1"));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            parse(
                "{'neighbouring':'add/remove','entries':[{'mechanism':%s,'count':1,'q':1}]}"
                    .formatted(PURE)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | mechanism field type must be given. Provided value: none",
        "{'type':'pure'} | mechanism field epsilon must be given. Provided value: none",
        "{'type':7} | type must be a string. Provided value: 7",
        "'pure' | mechanism must be a JSON object. Provided value: pure",
        "{'type':'pure','epsilon':'1'} | epsilon must be a number. Provided value: 1",
        "{'type':'pure','epsilon':null} | epsilon must be a number. Provided value: null",
        "{'type':'pure','epsilon':true} | epsilon must be a number. Provided value: true",
        "{'type':'pure','epsilon':-1} | epsilon must be at least 0. Provided value: -1",
        "{'type':'joint-gaussian','noiseMultipliers':1}"
            + " | noiseMultipliers must be a list. Provided value: 1",
        "{'type':'joint-gaussian','noiseMultipliers':['x']}"
            + " | noiseMultipliers must be a number. Provided value: x",
        "{'type':'randomized-response','truth':0.5,'categories':2.5}"
            + " | categories must be a whole number. Provided value: 2.5",
        "{'type':'poisson-sampled','rate':0.5} | mechanism field inner must be given. Provided value: none",
        "{'type':'poisson-sampled','rate':2,'inner':{'type':'pure','epsilon':1}}"
            + " | sampling rate must be in [0, 1]. Provided value: 2",
      })
  void wrongMechanism(String mechanism, String message) {
    refused(message, ledger(mechanism, "1"));
  }

  @Test
  void anUnknownTypeIsToldTheKnownOnes() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> parse(ledger("{'type':'magic'}", "1")))
            .getMessage();
    assertTrue(message.endsWith(". Provided value: magic"), message);
    for (Mechanism mechanism : LedgerJsonTest.mechanisms()) {
      String json = Ledgers.addRemove(mechanism, 1).toJson();
      String type = json.split("\"type\":\"")[1].split("\"")[0];
      assertTrue(message.matches(".*[ ,]" + type + "[,.].*"), type + " in " + message);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.5, count must be a whole number. Provided value: 1.5",
    "\"Infinity\", count must be a whole number. Provided value: Infinity",
    "0, steps must be a whole number of at least 1. Provided value: 0",
    "-3, steps must be a whole number of at least 1. Provided value: -3",
    "1e30, count must be a whole number. Provided value: 1e30",
  })
  void wrongCount(String count, String message) {
    refused(message, ledger(PURE, count));
  }

  /** Overflow must not turn a large count into a small one, or into another exception. */
  @ParameterizedTest
  @ValueSource(strings = {"4294967297", "3000000000", "-3000000000", "1e300"})
  void wholeNumbersThatAnIntDoesNotHold(String number) {
    String estimated =
        "{'type':'estimated-norm-gaussian','noiseMultiplier':1,'projections':" + number + "}";
    String response = "{'type':'randomized-response','truth':0.5,'categories':" + number + "}";
    assertThrows(IllegalArgumentException.class, () -> parse(ledger(estimated, "1")));
    assertThrows(IllegalArgumentException.class, () -> parse(ledger(response, "1")));
  }

  /** A number that a double does not hold is not "no cost at all". */
  @Test
  void noiseThatOverflowsIsNotInfiniteNoise() {
    assertThrows(
        IllegalArgumentException.class,
        () -> parse(ledger("{'type':'gaussian','noiseMultiplier':1e400}", "1")));
  }

  @Test
  void aFieldGivenTwice() {
    assertThrows(
        IllegalArgumentException.class,
        () -> parse(ledger("{'type':'pure','epsilon':1,'epsilon':0}", "1")));
  }

  @Test
  void deepNesting() {
    String deep = "{'type':'poisson-sampled','rate':1,'inner':".repeat(50_000);
    refused(
        "ledger must be JSON. Provided value: text that breaks our limits (nested too deeply, or too"
            + " long a name or number)",
        ledger(deep, "1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {" garbage", "{", "}", " 1", ",{}"})
  void nothingMayFollow(String rest) {
    assertThrows(IllegalArgumentException.class, () -> parse(ledger(PURE, "2") + rest));
  }
}
