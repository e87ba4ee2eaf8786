package dev.discreet.cli.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditMembershipCommandTest {
  @TempDir static Path folder;
  private static Path table;
  private static Path run;

  private static final List<String> DECLARED =
      List.of("--label", "sick=no|yes", "--column", "age=0..100", "--column", "weight=0..100");

  /** A private table, and a run on half of it. */
  @BeforeAll
  static void train() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<String> lines = new ArrayList<>(List.of("age,weight,sick"));
    for (int i = 0; i < 400; i++) {
      String sick = random.nextBoolean() ? "yes" : "no";
      lines.add(random.nextInt(101) + "," + random.nextInt(101) + "," + sick);
    }
    table = Files.write(folder.resolve("patients.csv"), lines);
    run = folder.resolve("run");
    List<String> train = new ArrayList<>(List.of("train", "--data", table.toString()));
    train.addAll(DECLARED);
    train.addAll(List.of("--steps", "6", "--lot-size", "40", "--noise-multiplier", "2", "--quiet"));
    train.addAll(List.of("--test-share", "0.5", "--out", run.toString()));
    assertEquals(0, Run.of(train.toArray(String[]::new)).code());
  }

  private static Run audit(String... more) {
    List<String> all = new ArrayList<>(List.of("audit", "membership", "--outside-the-guarantee"));
    all.addAll(List.of(more));
    return Run.of(all.toArray(String[]::new));
  }

  @Test
  void privateRowsAreAttackedOnlyByName() {
    Path out = folder.resolve("never");
    Run refused = Run.of("audit membership --run " + run + " --out " + out);
    assertEquals(2, refused.code(), refused.err());
    assertTrue(Files.notExists(out));
    assertTrue(refused.err().contains("only with --outside-the-guarantee"), refused.err());
    assertEquals("", refused.out());
  }

  /** The account lies elsewhere, and the run remembers only that there is one. */
  @Test
  void anAccountThatTheRunWasChargedToIsNotGoneAround() throws IOException {
    Path books = Files.createDirectory(folder.resolve("books")).resolve("people.account");
    Run opened =
        Run.of("account open " + books + " --epsilon 9 --delta 1e-5 --unit patient --one-row-each");
    assertEquals(0, opened.code(), opened.err());
    Path paid = folder.resolve("paid");
    List<String> train = new ArrayList<>(List.of("train", "--data", table.toString()));
    train.addAll(DECLARED);
    train.addAll(List.of("--steps", "6", "--lot-size", "40", "--noise-multiplier", "4", "--quiet"));
    train.addAll(List.of("--test-share", "0.5", "--held-out", "none", "--out", paid.toString()));
    train.addAll(List.of("--account", books.toString()));
    Run trained = Run.of(train.toArray(String[]::new));
    assertEquals(0, trained.code(), trained.err());
    for (String verb : List.of("audit membership --run ", "audit --recipe ")) {
      String command = verb + paid + " --outside-the-guarantee";
      for (String pass : List.of("", " --pass-over-account")) {
        assertTrue(Run.of(command + pass).line(2).contains("account must be that of the run in"));
      }
      assertTrue(Run.of(command + " --account " + books).line(2).contains("--pass-over-account"));
    }
    assertEquals(0, passedOver(books));
    Run done =
        audit("--run", paid.toString(), "--account", books.toString(), "--pass-over-account");
    assertEquals(0, done.code(), done.err());
    assertEquals(1, passedOver(books));
  }

  private static int passedOver(Path account) {
    return (int) Run.of("account show --json " + account).object().get("passedOver");
  }

  /** A ledger that claims far less than what its model gives away. */
  @Test
  void aRunThatGivesAwayMoreThanItClaimsIsRefuted() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    List<String> train = new ArrayList<>(List.of("train", "--label", "sick=no|yes"));
    StringBuilder head = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      head.append('x').append(i).append(',');
      train.addAll(List.of("--column", "x" + i + "=0..1"));
    }
    List<String> lines = new ArrayList<>(List.of(head + "sick"));
    for (int i = 0; i < 400; i++) {
      StringBuilder line = new StringBuilder();
      random.ints(150, 0, 2).forEach(each -> line.append(each).append(','));
      lines.add(line + (random.nextBoolean() ? "yes" : "no"));
    }
    Path data = Files.write(folder.resolve("random.csv"), lines);
    Path leaky = folder.resolve("leaky");
    train.addAll(List.of("--data", data.toString(), "--model", "logistic", "--test-share", "0.5"));
    train.addAll(List.of("--steps", "100", "--sampling-rate", "1", "--noise-multiplier", "0.25"));
    train.addAll(List.of("--clip", "1", "--learning-rate", "80", "--held-out", "none", "--quiet"));
    train.addAll(List.of("--out", leaky.toString()));
    Run trained = Run.of(train.toArray(String[]::new));
    assertEquals(0, trained.code(), trained.err());
    Path ledger = leaky.resolve("ledger.json");
    Files.writeString(ledger, Files.readString(ledger).replace("0.25", "100"));
    Run refuted = audit("--run", leaky.toString());
    assertEquals(1, refuted.code(), refuted.err() + refuted.out());
    assertTrue(refuted.out().contains("verdict: REFUTED"), refuted.out());
  }

  private static Map<String, String> files(Path of) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> inside = Files.walk(of)) {
      for (Path each : inside.filter(Files::isRegularFile).toList()) {
        files.put(
            each.toString(), Files.readString(each, java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  @Test
  void aRunIsAttackedAndItsFolderStaysAsItIs() throws IOException {
    Map<String, String> before = files(run);
    Run done = audit("--run", run.toString());
    assertEquals(0, done.code(), done.err());
    assertTrue(done.out().startsWith("OUTSIDE THE GUARANTEE: "), done.out());
    assertTrue(done.out().contains("loss threshold") && done.out().contains("certified"));
    assertTrue(done.out().contains("verdict: not refuted"), done.out());
    // The model's own line and the certificate are about one promise, to the last digit.
    Matcher own = Pattern.compile("epsilon <= (\\S+)").matcher(done.out());
    assertTrue(own.find(), done.out());
    assertTrue(done.out().contains("at most " + own.group(1) + "\n"), done.out());
    assertEquals(before, files(run));
  }

  @Test
  void scoresAreKeptAndNoModelIs() throws IOException {
    Path out = folder.resolve("audit");
    String[] command = {
      "--run",
      run.toString(),
      "--attack",
      "lira",
      "--shadows",
      "4",
      "--json",
      "--out",
      out.toString()
    };
    Run done = audit(command);
    assertEquals(0, done.code(), done.err());
    Map<String, Object> found = JSON.std.mapFrom(done.out());
    assertEquals("notice", found.keySet().iterator().next());
    assertTrue(found.get("notice").toString().startsWith("OUTSIDE THE GUARANTEE: "));
    assertEquals(3, ((List<?>) found.get("attacks")).size());
    assertEquals(true, found.get("drawnByCoins"));
    assertEquals(false, found.get("refuted"));
    Map<String, String> files = files(out);
    assertEquals(
        List.of("membership.html", "membership.json", "scores.lines"),
        files.keySet().stream().map(each -> Path.of(each).getFileName().toString()).toList());
    // Each file says in its first line that it is not to be released.
    files.forEach(
        (name, text) ->
            assertTrue(text.lines().findFirst().orElseThrow().contains("OUTSIDE THE GUARANTEE")));
    assertEquals(4, done.err().lines().filter(line -> line.contains("shadow ")).count());
    // The same command again trains nothing.
    Run again = audit(command);
    assertEquals(done.out(), again.out());
    assertFalse(again.err().contains("shadow "), again.err());
  }

  @Test
  void withoutARunATargetIsTrainedHere() throws IOException {
    List<String> options = new ArrayList<>(List.of("--data", table.toString(), "--rows", "60"));
    options.addAll(DECLARED);
    options.addAll(List.of("--steps", "4", "--lot-size", "10", "--non-private", "--json"));
    Run done = audit(options.toArray(String[]::new));
    assertEquals(0, done.code(), done.err());
    Map<String, Object> found = JSON.std.mapFrom(done.out());
    assertTrue(found.get("model").toString().contains("NOT PRIVATE"), found.toString());
    assertEquals(60, (int) found.get("members") + (int) found.get("others"));
    assertFalse(found.containsKey("certified"));
  }

  @Test
  void nothingIsWrittenIntoTheFolderOfARun() {
    String inside = run.resolve("audit").toString();
    assertTrue(
        audit("--run", run.toString(), "--out", inside)
            .line(2)
            .contains("outside of the folders of runs, which are released"));
    assertTrue(Files.notExists(run.resolve("audit")));
  }

  @Test
  void aLinkIntoTheFolderOfARunIsNoWayAround() throws IOException {
    Path inside = Files.createDirectories(folder.resolve("linked").resolve("inside"));
    Files.writeString(folder.resolve("linked").resolve("run.json"), "{}");
    Path link = Files.createSymbolicLink(folder.resolve("link"), inside);
    for (Path out : List.of(link, link.resolve("new"))) {
      assertTrue(
          audit("--run", run.toString(), "--out", out.toString())
              .line(2)
              .contains("outside of the folders of runs, which are released"));
    }
    assertEquals(List.of(), List.copyOf(files(inside).keySet()));
  }

  /** A model whose rows nobody knows is not attacked with the default ones. */
  @Test
  void refusesARunThatDoesNotSayWhatItWasTrainedOn() throws IOException {
    Path alone = Files.createDirectory(folder.resolve("alone"));
    for (String name : List.of("model.json", "model.safetensors")) {
      Files.copy(run.resolve(name), alone.resolve(name));
    }
    assertTrue(audit("--run", alone.toString()).line(2).contains("run.yaml"));
  }

  @Test
  void refusesWhatTheRunSaysAlready() {
    assertTrue(audit("--run", run.toString(), "--epsilon", "3").line(2).contains("--epsilon"));
    // Another split than the run's would call members others.
    assertTrue(
        audit("--run", run.toString(), "--test-share", "0.3").line(2).contains("--test-share"));
    assertTrue(audit("--attack", "lira", "--shadows", "5").line(2).contains("an even number"));
    assertTrue(audit("--confidence", "1").line(2).contains("confidence must be in (0, 1)"));
    assertTrue(audit("--attack", "guess").line(2).contains("attack must be loss or lira"));
  }
}
