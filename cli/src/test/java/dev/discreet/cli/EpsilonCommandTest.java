package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpsilonCommandTest {
  private static final String PLAN =
      "epsilon --noise-multiplier 4 --sampling-rate 0.01 --steps 1e4 ";

  /** The table of issue 2. */
  @ParameterizedTest
  @CsvSource({
    "pld, 4, 0.01, 10000, 1e-5, 0.94700, 2e-4",
    "rdp, 4, 0.01, 10000, 1e-5, 1.03549, 1.1e-3",
    "moments, 4, 0.01, 10000, 1e-5, 1.2586, 5e-4",
    "strong, 4, 0.01, 10000, 1e-5, 16.84, 0.01",
    "pld, 0.7, 0.01, 120, 1e-5, 2.46124, 2e-4",
    "pld, 0.7, 1, 2, 1e-5, 10.12249, 1e-4",
    "pld, 1.1, 256/60000, 14062, 1e-5, 2.3817, 5e-4",
  })
  void published(
      String accountant,
      String noise,
      String rate,
      String steps,
      String delta,
      double epsilon,
      double within) {
    Run run =
        Run.of(
            "epsilon --json --accountant %s --noise-multiplier %s --sampling-rate %s --steps %s --delta %s"
                .formatted(accountant, noise, rate, steps, delta));
    assertEquals(epsilon, run.number("epsilon"), within);
    assertTrue(run.number("epsilonLower") <= run.number("epsilon"));
    assertEquals(accountant, run.object().get("accountant"));
    assertEquals(true, run.object().get("guarantee"));
  }

  @Test
  void jsonHasTheFieldsOfTheDesign() {
    Map<String, Object> fields = Run.of(PLAN + "--delta 1e-5 --json").object();
    assertTrue(
        fields
            .keySet()
            .containsAll(
                Set.of(
                    "epsilon",
                    "epsilonLower",
                    "delta",
                    "noiseMultiplier",
                    "samplingRate",
                    "steps",
                    "accountant",
                    "neighbouring",
                    "guarantee")),
        fields.toString());
    assertEquals(4.0, fields.get("noiseMultiplier"));
    assertEquals(0.01, fields.get("samplingRate"));
    assertEquals(10000, fields.get("steps"));
    assertEquals(1e-5, fields.get("delta"));
    assertEquals("add/remove", fields.get("neighbouring"));
    assertFalse(fields.containsKey("note"), fields.toString());
  }

  @Test
  void peopleSeeTheBoundRoundedUp() {
    double exact = Run.of(PLAN + "--delta 1e-5 --json").number("epsilon");
    String text = Run.of(PLAN + "--delta 1e-5").done().out();
    double shown = Double.parseDouble(text.lines().findFirst().orElseThrow().split("\\s+")[1]);
    assertTrue(shown >= exact && shown < exact + 1e-5, text);
    assertTrue(text.contains("certified"), text);
    assertTrue(text.contains("\nplan        10000 steps, noise multiplier 4, Poisson"), text);
    assertTrue(text.contains("each single example (add/remove)"), text);
  }

  @Test
  void theBestOrderIsTold() {
    assertTrue(Run.of(PLAN + "--delta 1e-5 --accountant rdp").done().out().contains("best order"));
    Run json = Run.of(PLAN + "--delta 1e-5 --accountant rdp --json");
    assertTrue(json.object().get("note").toString().startsWith("best order"));
  }

  @ParameterizedTest
  @CsvSource({"--delta 1e-5", "--epsilon 1", "--delta 1e-5 --json", "--epsilon 1 --json"})
  void everyPrintOfTheGaussianLimitSaysWhatItIs(String question) {
    Run run = Run.of(PLAN + "--accountant gdp " + question).done();
    assertTrue(run.out().contains("approximation, not a guarantee"), run.out());
    assertFalse(run.out().contains("certified"), run.out());
    if (question.contains("json")) {
      assertEquals(false, run.object().get("guarantee"));
    }
  }

  @Test
  void theReverseQuestionAgrees() {
    Run there = Run.of(PLAN + "--delta 1e-5 --json");
    Run back = Run.of(PLAN + "--json --epsilon " + there.number("epsilon"));
    assertTrue(back.number("deltaLower") <= 1e-5);
    assertEquals(1e-5, back.number("delta"), 2e-8);
    assertTrue(Run.of(PLAN + "--epsilon 1").done().out().startsWith("delta "));
  }

  @ParameterizedTest
  @CsvSource({
    "--noise-multiplier 0 --sampling-rate 0.01 --steps 10 --delta 1e-5, Infinity",
    "--noise-multiplier 4 --sampling-rate 0.01 --steps 10 --delta 0, Infinity",
    "--noise-multiplier 0 --sampling-rate 0 --steps 10 --delta 1e-5, 0",
    "--noise-multiplier 4 --sampling-rate 0 --steps 10 --delta 0, 0",
    "--noise-multiplier Infinity --sampling-rate 1 --steps 10 --delta 0, 0",
  })
  void theEndsOfTheRanges(String options, String expected) {
    for (String accountant : "pld rdp moments strong sequential gdp".split(" ")) {
      Run run = Run.of("epsilon --json --accountant " + accountant + " " + options);
      Object epsilon = run.object().get("epsilon");
      if (expected.equals("Infinity")) {
        assertEquals("Infinity", epsilon);
        assertFalse(run.object().get("note").toString().isBlank());
        assertEquals(false, run.object().get("guarantee"));
      } else {
        assertEquals(0.0, epsilon, accountant);
      }
      assertTrue(Run.of("epsilon " + options).done().out().contains(expected));
    }
  }

  @Test
  void stepsMayBeWrittenAsPowersOfTen() {
    Run run =
        Run.of("epsilon --json --noise-multiplier 1e5 --sampler none --steps 1e12 --delta 1e-5");
    assertEquals(1_000_000_000_000L, run.object().get("steps"));
  }

  @Test
  void theSamplersCostWhatTheyShould() {
    String common = "epsilon --json --noise-multiplier 4 --steps 100 --delta 1e-5 ";
    double poisson = Run.of(common + "--sampling-rate 0.01").number("epsilon");
    double fixed = Run.of(common + "--sampler fixed --lot-size 10 --units 1000").number("epsilon");
    double none = Run.of(common + "--sampler none").number("epsilon");
    double all = Run.of(common + "--sampling-rate 1").number("epsilon");
    assertTrue(poisson < fixed && fixed < none, poisson + " " + fixed + " " + none);
    assertEquals(none, all, 1e-12);
  }

  @Test
  void theRelationMatters() {
    String common = "epsilon --json --noise-multiplier 4 --sampler none --steps 1 --delta 1e-5 ";
    double half = Run.of(common.replace("4", "2")).number("epsilon");
    double replaced = Run.of(common + "--neighbouring replace-one").number("epsilon");
    assertEquals(half, replaced, 1e-12);
    assertEquals(
        Run.of(common).number("epsilon"),
        Run.of(common + "--neighbouring zero-out").number("epsilon"));
  }

  @Test
  void aGroupOfUnsampledUnitsIsALargerSensitivity() {
    String common = "epsilon --json --sampler none --steps 3 --delta 1e-5 --noise-multiplier ";
    assertEquals(
        Run.of(common + 2).number("epsilon"),
        Run.of(common + "6 --group 3").number("epsilon"),
        1e-12);
    String text = Run.of(common.replace("--json", "") + "6 --group 3 --unit patient").done().out();
    assertTrue(text.contains("any 3 patients together"), text);
  }

  @Test
  void theStatementNamesTheUnit() {
    String plan = "epsilon --noise-multiplier 0.7 --sampler none --steps 2 --delta 1e-5 ";
    String text = Run.of(plan + "--statement --unit patient").done().out();
    assertTrue(text.startsWith("PRIVACY STATEMENT"), text);
    assertTrue(text.contains("Each single patient"), text);
    Map<String, Object> fields = Run.of(plan + "--statement --unit patient --json").object();
    assertEquals(text, fields.get("statement"));
    assertEquals(10.12249, (double) fields.get("epsilon"), 1e-4);
  }

  @Test
  void theStatementSaysTheSameDigits() {
    String stated = Run.of(PLAN + "--delta 1e-5").done().out().split("\\s+")[1];
    String text = Run.of(PLAN + "--delta 1e-5 --statement").done().out();
    assertTrue(text.contains("epsilon = " + stated + " (certified"), text);
  }

  /** Options are what somebody says; only a ledger can be a record. */
  @Test
  void theStatementOfAPlanIsADeclaration(@TempDir Path folder) throws IOException {
    String plan = "epsilon --noise-multiplier 0.7 --sampler none --steps 2 --delta 1e-5 ";
    String text = Run.of(plan + "--statement").done().out();
    assertTrue(text.contains("What is released, as declared: 2 x"), text);
    Ledger ledger = Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(0.7), 2);
    Path file = Files.writeString(folder.resolve("ledger.json"), ledger.toJson());
    String stated = "epsilon --delta 1e-5 --statement --ledger " + file;
    text = Run.of(stated + " --unit row").done().out();
    assertTrue(text.contains("What was released: 2 x"), text);
    assertTrue(Run.of(stated).line(2).contains("--unit NAME (the file does not say whose it is)"));
  }

  @ParameterizedTest
  @CsvSource({"--epsilon Infinity", "--epsilon 0"})
  void aDeltaOfOneOrAnInfiniteEpsilonPromisesNothing(String question) {
    String bare = "epsilon --noise-multiplier 0 --sampler none --steps 1 ";
    assertEquals(false, Run.of(bare + question + " --json").object().get("guarantee"));
    String text = Run.of(bare + question).done().out();
    assertTrue(text.contains("(nothing is promised)"), text);
  }

  /** Whose it is, under which relation and of how many: as the file says, or that it does not. */
  @Test
  void aLedgerFileSaysWhoseItIs(@TempDir Path folder) throws IOException {
    Ledger ledger = Ledger.of(Neighbouring.REPLACE_ONE, new Mechanism.Gaussian(0.5), 2);
    Path file = folder.resolve("ledger.json");
    Files.writeString(file, new LedgerFile(ledger, "patient", 60_000, false, "pld").toJson());
    String text = Run.of("epsilon --ledger " + file).done().out();
    assertTrue(
        text.contains(
            "each single patient of 60,000, a number that was taken as public (replace-one)"),
        text);
    // The number makes delta where none is given, and is what a given one is held against.
    assertTrue(text.replaceAll(" +", " ").contains("delta 1e-6"), text);
    assertTrue(text.contains("WEAK") && text.contains("epsilon is above 10"), text);
    text = Run.of("epsilon --delta 1e-5 --ledger " + file).done().out();
    assertTrue(text.contains("delta is above 1/(10 x 60,000)"), text);
    assertEquals(
        "discreet epsilon: unit of the ledger must be as the file says, patient. Provided value:"
            + " row",
        Run.of("epsilon --unit row --ledger " + file).line(2));
    Files.writeString(file, ledger.toJson());
    text = Run.of("epsilon --delta 1e-6 --ledger " + file).done().out();
    assertTrue(text.contains("units that the file does not name"), text);
    assertFalse(text.contains("each single"), text);
    assertEquals(
        "discreet epsilon: --delta D (or --epsilon E, to ask for delta) is missing",
        Run.of("epsilon --ledger " + file).line(2));
  }

  @Test
  void aLedgerStandsForAPlan(@TempDir Path folder) throws IOException {
    Ledger ledger =
        Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(1), 3)
            .plus(new Mechanism.Laplace(2), 2);
    Path file = Files.writeString(folder.resolve("ledger.json"), ledger.toJson());
    Run run = Run.of("epsilon", "--json", "--delta", "1e-14", "--ledger", file.toString());
    assertEquals(4.0, run.number("epsilon"), 1e-6);
    assertEquals(5, run.object().get("steps"));
    assertFalse(run.object().containsKey("noiseMultiplier"));

    Files.writeString(file, "{\"neighbouring\":\"near\",\"entries\":[]}");
    assertEquals(
        "discreet epsilon: "
            + file
            + ": neighbouring must be one of add/remove, replace-one, zero-out."
            + " Provided value: near",
        Run.of("epsilon", "--delta", "1e-14", "--ledger", file.toString()).line(2));
    Files.writeString(file, "{\n  no JSON");
    assertEquals(
        "discreet epsilon: "
            + file
            + ": ledger must be JSON. Provided value: text that breaks at line 2, column 3 (not"
            + " expected there)",
        Run.of("epsilon", "--delta", "1e-14", "--ledger", file.toString()).line(2));
    Files.write(file, new byte[] {(byte) 0xC3, 0x28});
    Run.of("epsilon", "--delta", "1e-14", "--ledger", file.toString()).line(2);
    Run.of("epsilon", "--delta", "1e-14", "--ledger", folder.toString()).line(2);
  }
}
