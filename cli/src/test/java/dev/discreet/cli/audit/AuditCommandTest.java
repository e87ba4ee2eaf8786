package dev.discreet.cli.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.audit.canary.CanaryAudit;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {
  @TempDir private Path folder;

  private Path recipe(String data) throws IOException {
    return Files.writeString(
        folder.resolve("run.yaml"),
        data
            + """
            model: dense(2)
            noise-multiplier: 1
            sampling-rate: 0.5
            steps: 20
            clip: 1
            out: %s
            """
                .formatted(folder.resolve("never")));
  }

  private String table() throws IOException {
    StringBuilder rows = new StringBuilder("age,ill\n");
    for (int i = 0; i < 200; i++) {
      rows.append(i % 50 + 20).append(i % 3 == 0 ? ",yes\n" : ",no\n");
    }
    Path file = Files.writeString(folder.resolve("people.csv"), rows);
    return "data: " + file + "\nlabel: ill=no|yes\ncolumn: [age=0..100]\n";
  }

  private static Run audit(Path recipe, String... more) {
    return Run.of(
        Stream.concat(
                Stream.of(
                    "audit",
                    "--recipe",
                    recipe.toString(),
                    "--runs",
                    "2",
                    "--canaries",
                    "32",
                    // An honest run is refuted with the chance that this leaves.
                    "--confidence",
                    "0.999999"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void aPublicSetIsAuditedAndNothingButTheAuditIsWritten() throws IOException {
    Path out = folder.resolve("found");
    Run run = audit(recipe("data: gaussians\n"), "--json", "--out", out.toString());
    assertEquals(0, run.code(), run.err());
    String written = Files.readString(out.resolve("audit.json"));
    assertEquals(run.out().strip(), written.strip());
    assertFalse(written.contains("\"label\""), written);
    for (String field :
        List.of(
            "epsilon",
            "epsilonLower",
            "epsilonEstimate",
            "estimateAssumes",
            "leftOut",
            "delta",
            "confidence",
            "refuted",
            "scoresWith")) {
      assertTrue(written.contains("\"" + field + "\""), field);
    }
    assertTrue(written.contains("\"refuted\":false"), written);
    assertFalse(Files.exists(folder.resolve("never")), "the run writes nothing");
  }

  @Test
  void privateRowsAreAuditedOnlyByNameAndLabelled() throws IOException {
    Path recipe = recipe(table());
    Run refused = audit(recipe);
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("--outside-the-guarantee"), refused.err());
    assertEquals("", refused.out());
    Run shown = audit(recipe, "--outside-the-guarantee");
    assertEquals(0, shown.code(), shown.err());
    assertTrue(shown.out().startsWith("OUTSIDE THE GUARANTEE"), shown.out());
    assertTrue(shown.out().contains("not refuted"), shown.out());
    // A held-out score is released besides the steps, which can be judged all the same.
    assertTrue(shown.out().contains("single steps, against their claim"), shown.out());
    assertFalse(shown.out().contains("not judged"), shown.out());
    assertTrue(shown.out().contains("assumes that scores are independent"), shown.out());
    Path out = folder.resolve("found");
    Run json = audit(recipe, "--outside-the-guarantee", "--json", "--out", out.toString());
    assertEquals(0, json.code(), json.err());
    assertTrue(json.out().startsWith("{\"label\":\"OUTSIDE THE GUARANTEE"), json.out());
    assertEquals(json.out().strip(), Files.readString(out.resolve("audit.json")).strip());
    assertFalse(Files.exists(folder.resolve("never")), "the run writes nothing");
  }

  /** The account lies elsewhere, so nothing but the recipe tells of it. */
  @Test
  void anAccountThatTheRecipeNamesIsNotGoneAround() throws IOException {
    Path books = Files.createDirectory(folder.resolve("books")).resolve("people.account");
    Run opened =
        Run.of("account open " + books + " --epsilon 9 --delta 1e-5 --unit patient --one-row-each");
    assertEquals(0, opened.code(), opened.err());
    Path recipe = recipe(table() + "account: " + books + "\n");
    Run refused = audit(recipe, "--outside-the-guarantee");
    assertEquals(2, refused.code(), refused.err());
    assertTrue(refused.err().contains("--pass-over-account"), refused.err());
    // That the run passed an account over is no leave to show its rows.
    Path passed = recipe(table() + "account: " + books + "\npass-over-account: true\n");
    assertEquals(2, audit(passed, "--outside-the-guarantee").code());
    assertEquals(0, passedOver(books));
    Run done = audit(passed, "--outside-the-guarantee", "--pass-over-account");
    assertEquals(0, done.code(), done.err());
    assertEquals(1, passedOver(books));
  }

  private static int passedOver(Path account) {
    return (int) Run.of("account show --json " + account).object().get("passedOver");
  }

  @Test
  void nothingIsWrittenIntoTheFolderOfARun() throws IOException {
    Path run = Files.createDirectory(folder.resolve("run"));
    Files.writeString(run.resolve("run.json"), "{}");
    for (Path out : List.of(run, run.resolve("new"))) {
      Run refused = audit(recipe(table()), "--outside-the-guarantee", "--out", out.toString());
      assertEquals(2, refused.code(), refused.err());
      assertTrue(refused.err().contains("outside of the folders of runs"), refused.err());
      assertFalse(Files.exists(out.resolve("audit.json")));
    }
  }

  @Test
  void aRunThatPromisesNothingHasNothingToRefute() throws IOException {
    Path recipe = recipe("data: gaussians\ninsecure-seed: 1\n");
    Run run = audit(recipe);
    assertEquals(2, run.code(), run.err());
    assertTrue(run.err().contains("private run with secret keys"), run.err());
  }

  @Test
  void eachEpsilonIsARow() throws IOException {
    Path recipe =
        Files.writeString(
            folder.resolve("target.yaml"),
            "data: gaussians\nmodel: dense(2)\nepsilon: 2\nsampling-rate: 0.2\nsteps: 10\n");
    Run run = audit(recipe, "--epsilon", "1,4", "--json");
    assertEquals(0, run.code(), run.err());
    List<?> audits = (List<?>) JSON.std.mapFrom(run.out()).get("audits");
    assertEquals(2, audits.size());
    double last = ((Number) ((Map<?, ?>) audits.get(1)).get("epsilon")).doubleValue();
    assertTrue(last > 3.9 && last <= 4, "epsilon " + last);
  }

  @Test
  void whatCannotBeJudgedIsNamed() throws IOException {
    Path recipe =
        Files.writeString(
            folder.resolve("falling.yaml"),
            "data: gaussians\nmodel: dense(2)\nnoise-multiplier: 2\nnoise-schedule: linear(0.5)\n"
                + "sampling-rate: 0.5\nsteps: 3\n");
    Run run = audit(recipe);
    assertTrue(run.out().contains("not judged: single steps: not all of them have"), run.out());
  }

  /** By chance it says something, with probability 1e-6 at most. */
  @Test
  void anAuditThatShowsNothingSaysSo() throws IOException {
    Path recipe =
        Files.writeString(
            folder.resolve("noisy.yaml"),
            "data: gaussians\nmodel: dense(2)\nnoise-multiplier: 1000\nsampling-rate: 0.5\n"
                + "steps: 20\n");
    Run run = audit(recipe);
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("this audit says nothing"), run.out());
    assertTrue(run.out().contains("More runs can show more: --runs "), run.out());
  }

  private static CanaryAudit audited(double epsilon, List<String> methods, List<String> leftOut) {
    List<CanaryAudit.Finding> findings = new ArrayList<>();
    findings.add(new CanaryAudit.Finding("coins", CanaryAudit.Finding.NOTHING, 0.5, false));
    methods.forEach(
        each -> findings.add(new CanaryAudit.Finding(each, "something", epsilon / 2, false)));
    CanaryAudit.Scores none = new CanaryAudit.Scores(new double[0], new double[0]);
    return new CanaryAudit(
        Ledger.empty(Neighbouring.ADD_REMOVE),
        epsilon,
        1e-5,
        0.95,
        1,
        8,
        findings,
        leftOut,
        none,
        none);
  }

  @Test
  void whatIsNotJudgedIsSaidOfEachEpsilon() {
    StringWriter text = new StringWriter();
    AuditCommand.print(
        new PrintWriter(text, true),
        List.of(
            audited(4, List.of("steps", "runs"), List.of("both: why")),
            audited(2, List.of("runs"), List.of("both: why", "steps: why not"))),
        true);
    List<String> lines = text.toString().lines().map(each -> each.replaceAll(" +", " ")).toList();
    assertTrue(lines.contains("not judged: both: why"), text.toString());
    assertTrue(lines.contains("not judged at epsilon 2: steps: why not"), text.toString());
    assertTrue(lines.contains("steps 2 not judged"), text.toString());
    assertTrue(lines.contains("runs 2 1"), text.toString());
  }
}
