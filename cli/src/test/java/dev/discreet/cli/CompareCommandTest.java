package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  private static final String SETTING =
      "compare --noise-multiplier 4 --sampling-rate 0.01 --steps 10000 --delta 1e-5";

  private static List<String> names() {
    return Accountants.all().stream().map(Accountant::name).toList();
  }

  /** The row whose accountant is {@code name}; there must be exactly one. */
  private static Map<?, ?> row(Run run, String name) {
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object row : run.array()) {
      if (((Map<?, ?>) row).get("accountant").equals(name)) {
        found.add((Map<?, ?>) row);
      }
    }
    assertEquals(1, found.size(), name + " in " + run.out());
    return found.get(0);
  }

  private static void assertRow(
      Run run, String name, double epsilon, double within, boolean guarantee) {
    Map<?, ?> row = row(run, name);
    assertEquals(epsilon, (double) row.get("epsilon"), within, name);
    assertEquals(guarantee, row.get("guarantee"), name);
    if (!guarantee) {
      assertTrue(row.get("note").toString().contains("not a guarantee"), row.toString());
    }
  }

  @Test
  void everyAccountantIsInTheTable() {
    String text = Run.of(SETTING).done().out();
    List<String> lines = text.lines().toList();
    assertTrue(lines.get(0).contains("10000 steps, noise multiplier 4"), text);
    assertTrue(lines.get(2).startsWith("accountant "), text);
    int guarantee = lines.get(2).indexOf("guarantee?");
    for (String name : names()) {
      String line = lines.stream().filter(l -> l.startsWith(name + "  ")).findFirst().orElseThrow();
      String expected = name.equals("gdp") ? "no" : "yes";
      assertEquals(expected, line.substring(guarantee).split(" ")[0], text);
    }
    assertTrue(text.contains("approximation, not a guarantee"), text);
    assertEquals(names().size() + 2 + 3, lines.size(), text);
  }

  @Test
  void jsonHasTheFiguresOfTheIssue() {
    Run run = Run.of(SETTING + " --json");
    assertRow(run, "pld", 0.947, 2e-4, true);
    assertRow(run, "rdp", 1.03549, 1.1e-3, true);
    assertRow(run, "moments", 1.2586, 5e-4, true);
    assertRow(run, "strong", 16.84, 0.01, true);
    assertRow(run, "strong as often printed (not a bound)", 9.35, 0.01, false);
    assertRow(run, "strong, classical eps0 (not a bound)", 26.39, 0.02, false);
    assertEquals(false, row(run, "gdp").get("guarantee"));
    assertEquals(10000, row(run, "sequential").get("steps"));
    assertEquals("add/remove", row(run, "gdp").get("neighbouring"));
    assertEquals(names().size() + 2, run.array().size());
  }

  @Test
  void theSeedsFormulasAreLeftOutWhereTheySpeakOfSomethingElse() {
    String setting = "compare --json --noise-multiplier 4 --steps 10 --delta 1e-5 ";
    for (String other :
        List.of(
            "--sampling-rate 0.01 --neighbouring replace-one",
            "--sampling-rate 0",
            "--sampler fixed --lot-size 10 --units 1000")) {
      assertEquals(names().size(), Run.of(setting + other).array().size(), other);
    }
  }

  @Test
  void aLedgerCanBeComparedToo(@TempDir Path folder) throws IOException {
    Ledger ledger = Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(2), 10);
    Path file = Files.writeString(folder.resolve("ledger.json"), ledger.toJson());
    Run run = Run.of("compare", "--json", "--delta", "0", "--ledger", file.toString());
    assertEquals(names().size(), run.array().size());
    assertEquals(5.0, (double) row(run, "sequential").get("epsilon"), 1e-9);
    assertEquals("Infinity", row(run, "rdp").get("epsilon"));
    assertEquals(false, row(run, "rdp").get("guarantee"));
    assertEquals(true, row(run, "sequential").get("guarantee"));
  }

  @Test
  void anInfiniteEpsilonIsNoGuaranteeToReadOff() {
    String text =
        Run.of("compare --noise-multiplier 0 --sampler none --steps 3 --delta 1e-5").done().out();
    List<String> pld = text.lines().filter(line -> line.startsWith("pld ")).toList();
    assertTrue(pld.get(0).matches("pld +no bound +- +1e-5 +no +there is no noise.*"), text);
    assertFalse(text.contains("yes") || text.contains("Infinity"), text);
  }

  @Test
  void seed001Problem4() {
    Run run = Run.of("compare --seed-001-problem-4 --json");
    assertRow(run, "(a) sequential, T*eps", 400, 1e-9, true);
    assertRow(run, "(b) eps*sqrt(T*log10(1/delta))", 30.98, 0.005, false);
    assertRow(run, "(b) eps*sqrt(T*ln(1/delta))", 47.02, 0.005, false);
    assertRow(run, "(b) strong composition", 263.22, 0.005, true);
    assertRow(run, "(c) q*eps*sqrt(T*log10(1/delta))", 0.3098, 5e-5, false);
    assertRow(run, "(c) q*eps*sqrt(T*ln(1/delta))", 0.4702, 5e-5, false);
    assertRow(run, "(d) q*eps*sqrt(T)", 0.1265, 5e-5, false);
    assertEquals(0.001, (double) row(run, "(a) sequential, T*eps").get("delta"), 1e-12);

    // The tight values: two ways that share no code agree, and the document's are below the truth.
    double optimal = (double) row(run, "(b) optimal composition").get("epsilon");
    Map<?, ?> pld = row(run, "(b) pld");
    assertTrue((double) pld.get("epsilonLower") <= optimal, run.out());
    assertTrue((double) pld.get("epsilon") >= optimal * (1 - 1e-12), run.out());
    assertTrue(optimal < 263.22 && optimal > 47.02, run.out());
    Map<?, ?> sampled = row(run, "(c) pld, sampled");
    assertTrue((double) sampled.get("epsilonLower") > 0.4702, run.out());
    double amplified = (double) row(run, "(c) strong composition, amplified").get("epsilon");
    assertTrue((double) sampled.get("epsilon") < amplified, run.out());
    assertEquals("Infinity", row(run, "(d) pld, sampled").get("epsilon"));
    assertEquals(false, row(run, "(d) pld, sampled").get("guarantee"));

    String text = Run.of("compare --seed-001-problem-4").done().out();
    assertEquals(run.array().size() + 3, text.lines().count(), text);
    for (String figure : "400 30.98 47.01 263.2 0.3098 0.4701 0.1264".split(" ")) {
      assertTrue(text.contains("  " + figure), figure + " in " + text);
    }
  }

  @Test
  void aPlotIsDrawnBesideTheTable(@TempDir Path folder) throws IOException {
    Path png = folder.resolve("plot.png");
    String setting = "compare --noise-multiplier 4 --sampling-rate 0.01 --steps 100 --delta 1e-5";
    String text = Run.of(setting).done().out();
    Run drawn = Run.of(setting + " --plot " + png);
    assertEquals(new Run(0, text, "discreet compare: the plot is in " + png + "\n"), drawn);
    assertEquals(1600, ImageIO.read(png.toFile()).getWidth());

    Path svg = folder.resolve("plot.SVG");
    Run json = Run.of(setting + " --json --plot " + svg);
    assertEquals(Run.of(setting + " --json").done().out(), json.out());
    assertTrue(json.err().contains("" + svg), json.err());
    assertTrue(Files.readString(svg).contains("<svg "));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  @Test
  void aPlotThatCannotBeWrittenIsOneLine(@TempDir Path folder) throws IOException {
    Path nowhere = folder.resolve("no/such/plot.svg");
    assertEquals(
        "discreet compare: plot must be a file in a folder that exists. Provided value: " + nowhere,
        Run.of(SETTING + " --plot " + nowhere).line(2));
    Path kept = Files.writeString(folder.resolve("plot.svg"), "kept");
    String nothing = "compare --noise-multiplier 0 --sampler none --steps 9 --delta 1e-5";
    assertEquals(
        "discreet compare: plot must be a new file. Provided value: " + kept,
        Run.of(SETTING + " --plot " + kept).line(2));
    assertEquals("kept", Files.readString(kept));
    Run run = Run.of(nothing + " --plot " + folder.resolve("none.svg"));
    assertEquals(1, run.code());
    assertEquals(Run.of(nothing).done().out(), run.out());
    assertTrue(run.err().contains("nothing to draw"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count(), "a temporary file was left behind");
    }
  }

  @Test
  void thePlotIsTitledInWords() {
    Plan plan = new Plan(4, new Sampling.Poisson(256 / 60000.0), 9, Neighbouring.ADD_REMOVE);
    assertEquals(
        "Noise multiplier 4, Poisson sampling at rate 0.00426667, delta 1e-5, add/remove neighbours",
        StepsPlot.title(plan, 1e-5));
  }

  @Test
  void stepsAreSpreadEvenlyOnALogarithmicScale() {
    assertArrayEquals(new long[] {1}, StepsPlot.steps(1));
    assertArrayEquals(new long[] {1, 2, 3}, StepsPlot.steps(3));
    long[] many = StepsPlot.steps(1_000_000_000_000L);
    assertEquals(25, many.length);
    assertEquals(1, many[0]);
    assertEquals(1_000_000, many[12]);
    assertEquals(1_000_000_000_000L, many[24]);
    assertFalse(many[1] == 1);
  }
}
