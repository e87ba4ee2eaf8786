package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.catalog.Experiments;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReproduceCommandTest {
  @TempDir private Path folder;

  /** As if it had all been run: what follows needs no data. */
  private Path kept(String name, Effort effort) throws IOException {
    StringBuilder lines = new StringBuilder();
    Map<String, Object> measures = new HashMap<>();
    for (String each :
        List.of("epsilon", "loss", "calibration error", "rate error", "majority", "said", "was")) {
      measures.put(each, List.of(1));
    }
    double accuracy = 90;
    Set<String> texts = new LinkedHashSet<>();
    Experiments.named(name).trials(effort).forEach(trial -> texts.add(trial.text()));
    for (String text : texts) {
      measures.put("accuracy", List.of(50, accuracy));
      lines.append(JSON.std.asString(Map.of("trial", text, "measures", measures))).append('\n');
      accuracy += 0.25;
    }
    Path log = folder.resolve("trials").resolve(name + ".jsonl");
    Files.createDirectories(log.getParent());
    return Files.writeString(log, lines.toString());
  }

  private static Effort quick(int seeds) {
    return new Effort(true, seeds == 0 ? OptionalInt.empty() : OptionalInt.of(seeds));
  }

  @Test
  void theListHasEveryExperiment() {
    String list = Run.of("reproduce list").done().out();
    List<?> fields = Run.of("reproduce list --json").array();
    assertEquals(Experiments.all().size(), list.lines().count());
    assertEquals(Experiments.all().size(), fields.size());
    for (int i = 0; i < fields.size(); i++) {
      Experiment each = Experiments.all().get(i);
      assertTrue(list.lines().toList().get(i).startsWith(each.name()), list);
      assertEquals(
          Map.of("name", each.name(), "document", each.document(), "summary", each.summary()),
          fields.get(i));
    }
  }

  @Test
  void rowsAsJson() throws IOException {
    kept("abadi-mnist", quick(2));
    List<?> rows =
        Run.of("reproduce abadi-mnist --quick --seeds 2 --json --pages-only --out " + folder)
            .array();
    for (Object row : rows) {
      assertEquals(
          List.of("experiment", "setting", "method", "published", "ours", "sd", "seeds", "quick"),
          List.copyOf(((Map<?, ?>) row).keySet()));
    }
    Map<?, ?> first = (Map<?, ?>) rows.get(0);
    assertEquals("abadi-mnist", first.get("experiment"));
    assertEquals(98.3, first.get("published"));
    // Trials run in the order in which the page asks for them: this is the first, 90 and 90.25.
    assertEquals(90.125, first.get("ours"));
    assertEquals(0.1767767, first.get("sd"));
    assertEquals(2, first.get("seeds"));
    assertEquals(null, ((Map<?, ?>) rows.get(2)).get("published"));
    assertEquals(
        rows,
        JSON.std.listFrom(Files.readString(folder.resolve("abadi-mnist.json"))),
        "the file has the same");
  }

  @Test
  void rowsAsText() throws IOException {
    kept("abadi-mnist", quick(0));
    Run run = Run.of("reproduce abadi-mnist --quick --out " + folder);
    assertEquals(0, run.code(), run.err());
    assertEquals(
        List.of("0 trials to run, 5 kept in " + folder.resolve("trials")),
        run.err().lines().toList());
    String out = run.out();
    assertTrue(out.startsWith("QUICK RUN"), out);
    assertTrue(out.contains("not private"), out);
    assertTrue(out.contains("98.30"), out);
    assertTrue(out.contains("- Document 001 quotes 97%"), out);
    assertTrue(out.contains("page: " + folder.resolve("abadi-mnist.html")), out);
    assertTrue(Files.exists(folder.resolve("abadi-mnist.md")));
    assertFalse(Files.exists(folder.resolve("index.html")), "one page needs no index");
  }

  @Test
  void severalAtOnceAreRefused() {
    assertEquals(
        "discreet reproduce: what to reproduce must be one name, list or all. Provided value:"
            + " [salary, pums]",
        Run.of("reproduce salary pums --quick --out " + folder).line(2));
  }

  @Test
  void withoutKeptTrialsThereAreNoPages() throws IOException {
    assertEquals(
        "discreet reproduce: out must be a folder with kept trials of what there are to be pages of."
            + " Provided value: "
            + folder,
        Run.of("reproduce pums --pages-only --out " + folder).line(2));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mnist-decy, did you mean mnist-decay?",
    "mnist_decay, did you mean mnist-decay?",
    "PUMS, did you mean pums?"
  })
  void anUnknownNameIsOneLineWithAHint(String name, String hint) {
    String line = Run.of("reproduce " + name).line(2);
    assertTrue(line.startsWith("discreet reproduce: experiment must be one of "), line);
    assertTrue(line.endsWith("Provided value: " + name + "; " + hint), line);
  }

  @Test
  void whatIsFarFromAllNamesGetsNoHint() {
    String line = Run.of("reproduce everything-there-is").line(2);
    assertTrue(line.endsWith("Provided value: everything-there-is"), line);
  }

  @ParameterizedTest
  @CsvSource({"--seeds 0, seeds", "--seeds x, seeds", "--seeds 1.5, seeds", "--threads 0, threads"})
  void badNumbersAreOneLine(String option, String name) {
    String line = Run.of("reproduce mnist-decay " + option + " --out " + folder).line(2);
    assertTrue(line.contains(name + " must be a whole number in [1, "), line);
  }

  @Test
  void outThatIsAFileIsOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    String line = Run.of("reproduce mnist-decay --out " + file).line(2);
    assertEquals("discreet reproduce: out must be a folder. Provided value: " + file, line);
    assertEquals("mine", Files.readString(file));
    Run inside = Run.of("reproduce mnist-decay --out " + file.resolve("inside"));
    assertTrue(inside.line(2).contains(file.toString()), inside.err());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void outThatMayNotBeWrittenIsOneLine() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    assertTrue(closed.toFile().setWritable(false));
    assumeFalse(Files.isWritable(closed), "this user may write everywhere");
    String line = Run.of("reproduce mnist-decay --out " + closed).line(1);
    assertEquals("discreet reproduce: no permission for " + closed, line);
  }

  @Test
  void aFailureIsOneLineAfterTheRowsThatThereAre() throws IOException {
    Path log = kept("pums", quick(0));
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.subList(0, lines.size() - 1));
    // The one set that cannot be fetched.
    Run run = Run.of("reproduce pums --quick --json --out " + folder);
    assumeTrue(run.code() != 0, "the census sample is here, so nothing fails");
    assertEquals(1, run.code(), run.err());
    assertFalse(JSON.std.listFrom(run.out()).isEmpty());
    String last = run.err().lines().reduce((a, b) -> b).orElseThrow();
    assertTrue(
        last.startsWith("discreet reproduce: 1 of 1 trials failed; the first, pums: "), last);
    assertTrue(Files.readString(folder.resolve("pums.md")).contains("| — | 0 |"));
  }

  @Test
  void aDataFolderThatIsNotThereIsOneLine() {
    Path out = folder.resolve("out");
    String line =
        Run.of("reproduce pums --quick --data-dir " + folder.resolve("none") + " --out " + out)
            .line(2);
    assertTrue(line.contains("data dir must be a folder that exists. Provided value: "), line);
    assertFalse(Files.exists(out));
  }

  @Test
  void withoutItsDataNothingIsWritten() throws IOException {
    Run run = Run.of("reproduce pums --quick --out " + folder);
    assumeTrue(run.code() != 0, "the census sample is here, so nothing fails");
    assertEquals("", run.out());
    assertEquals(3, run.err().lines().count(), run.err());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.filter(Files::isRegularFile).toList());
    }
  }

  @Test
  void aBadKeptLineIsOneLine() throws IOException {
    Files.writeString(kept("mnist-decay", quick(0)), "nonsense\n");
    String line = Run.of("reproduce mnist-decay --quick --out " + folder).line(1);
    assertTrue(line.contains("mnist-decay.jsonl, line 1 is no kept trial"), line);
  }

  /** With its data, each run file is one that {@code discreet train} takes. */
  @Test
  void theRunFilesWork() throws IOException {
    Path data =
        Stream.of(
                System.getenv().getOrDefault("DISCREET_DATA", ""),
                "../../shared/data",
                "../shared/data")
            .filter(place -> !place.isEmpty())
            .map(Path::of)
            .filter(Files::isDirectory)
            .findFirst()
            .orElse(null);
    assumeTrue(data != null, "no folder of real data, by DISCREET_DATA or beside the project");
    for (Experiment each : Experiments.all()) {
      Path file = Path.of("..", "docs", "results", each.name() + ".yaml");
      // A dry run reads the data and measures a step: not sixty thousand JPEGs, and a small one.
      if (Files.exists(file) && !Files.readString(file).contains("data: cifar10")) {
        Run run =
            Run.of(
                "train " + file + " --lot-size 16 --steps 10 --dry-run --json --data-dir " + data);
        assertEquals(0, run.code(), each.name() + ": " + run.err());
      }
    }
  }

  /** Ctrl-C, in a process of its own; then the same command goes on. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void whatIsStoppedIsWrittenAndGoneOnWith() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "reproduce",
                "functional",
                "--quick",
                "--seeds",
                "50",
                "--threads",
                "1",
                "--out",
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String rest;
    try (BufferedReader from = process.inputReader()) {
      String line = from.readLine();
      while (line != null && !line.startsWith("1/")) {
        line = from.readLine();
      }
      assertTrue(line != null, "no trial was done");
      // TERM, for a shell's background job may be deaf to INT; both are the same to us.
      new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
      rest = from.lines().reduce("", (a, b) -> a + "\n" + b);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(143, process.exitValue(), rest);
    assertTrue(rest.contains("stopped; the same command goes on from there"), rest);
    int kept = Files.readAllLines(folder.resolve("trials/functional.jsonl")).size();
    assertTrue(kept >= 1 && kept < 150, rest);
    assertTrue(Files.exists(folder.resolve("functional.html")));
    List<?> rows =
        Run.of("reproduce functional --quick --seeds 50 --pages-only --json --out " + folder)
            .array();
    assertEquals(Set.of(kept), Set.of(((Map<?, ?>) rows.get(0)).get("seeds")));
  }
}
