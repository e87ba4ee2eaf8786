package dev.discreet.planted;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.Sha256;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs tests on planted bugs, each test class in a process of its own, and keeps what became of
 * them in a folder. What is there already is not run again, so a run that was cut short goes on;
 * {@code compile} forgets what was found on other sources.
 *
 * <p>Everything can be started without Maven, where classes, tests and libraries are on the class
 * path: {@code java -cp … dev.discreet.planted.PlantedRuns} with {@code compile FOLDER}, {@code run
 * FOLDER PROCESSES [WORD …]}, {@code honest FOLDER PROCESSES TIMES} or {@code table FOLDER FILE}.
 */
public final class PlantedRuns {
  /** The folder that stands for no bug. */
  static final String HONEST = "honest";

  private static final long MOST_SECONDS = 500;

  private final Checkout checkout = Checkout.here();
  private final Path folder;

  PlantedRuns(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  public static void main(String[] args) throws Exception {
    PlantedRuns runs = new PlantedRuns(Path.of(args[1]));
    switch (args[0]) {
      case "compile" -> runs.compile(PlantedBug.all());
      case "run" -> runs.run(named(List.of(args).subList(3, args.length)), number(args[2]));
      case "honest" -> runs.honest(number(args[2]), number(args[3]));
      case "table" -> new CaughtTable(runs).write(Path.of(args[2]));
      default -> Check.that(false, "verb", "compile, run, honest or table", args[0]);
    }
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  /** Bugs whose name has one of the words; all bugs where there are no words. */
  static List<PlantedBug> named(List<String> words) {
    return PlantedBug.all().stream()
        .filter(bug -> words.isEmpty() || words.stream().anyMatch(bug.slug()::contains))
        .toList();
  }

  /** The changed classes of each bug, into a folder of its own. */
  void compile(List<PlantedBug> bugs) throws IOException {
    forgetOtherCode();
    try (BugCompiler compiler = new BugCompiler(checkout)) {
      for (PlantedBug bug : bugs) {
        compiler.compile(List.of(bug), classes(bug));
      }
    }
  }

  /** What was found of another state of the sources says nothing of this one. */
  private void forgetOtherCode() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.walk(checkout.root())) {
      for (Path each :
          files
              .filter(file -> file.toString().endsWith(".java") && file.toString().contains("src"))
              .sorted()
              .toList()) {
        sources.append(Files.readString(each));
      }
    }
    Path state = folder.resolve("sources.sha256");
    String now = Sha256.hex(sources.toString());
    if (Files.exists(state) && Files.readString(state).equals(now)) {
      return;
    }
    Path results = folder.resolve("results");
    if (Files.exists(results)) {
      try (Stream<Path> files = Files.walk(results)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    Files.createDirectories(folder);
    Files.writeString(state, now);
  }

  private Path classes(PlantedBug bug) {
    return folder.resolve("classes").resolve(bug.slug());
  }

  /** All tests that may notice a bug: those that it names, and the audits. */
  static List<String> candidates(PlantedBug bug) {
    return Stream.concat(bug.tests().stream(), PlantedBug.audits().stream()).distinct().toList();
  }

  void run(List<PlantedBug> bugs, int processes) throws InterruptedException {
    List<Job> jobs = new ArrayList<>();
    // Bug by bug, so that what is done when time runs out is whole.
    for (PlantedBug bug : bugs) {
      candidates(bug)
          .forEach(test -> jobs.add(new Job(bug.slug(), List.of(classes(bug)), test, 1)));
    }
    all(jobs, processes);
  }

  /** The same tests on the code as it is, each so many times in one process. */
  void honest(int processes, int times) throws InterruptedException {
    List<String> tests =
        PlantedBug.all().stream().flatMap(bug -> candidates(bug).stream()).distinct().toList();
    all(tests.stream().map(test -> new Job(HONEST, List.of(), test, times)).toList(), processes);
  }

  private record Job(String name, List<Path> front, String test, int times) {}

  private void all(List<Job> jobs, int processes) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(processes);
    jobs.forEach(job -> pool.submit(() -> keep(job)));
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.DAYS);
  }

  private Path kept(String name, String test) {
    return folder.resolve("results").resolve(name).resolve(test.replace('#', '.') + ".txt");
  }

  private void keep(Job job) {
    Path file = kept(job.name, job.test);
    if (Collections.frequency(results(job.name, job.test), ForkedTests.END) >= job.times) {
      return;
    }
    try {
      Files.createDirectories(file.getParent());
      List<String> lines = fork(job.front, job.test, job.times);
      Files.write(file, lines);
      long failed = lines.stream().filter(line -> line.startsWith("failed")).count();
      System.err.println(job.name + "\t" + job.test + "\t" + failed + " failed");
    } catch (IOException | InterruptedException | RuntimeException e) {
      System.err.println(job.name + "\t" + job.test + "\t" + e);
    }
  }

  /** What was kept of a test class: nothing where it was not run. */
  List<String> results(String name, String test) {
    Path file = kept(name, test);
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs a test class so many times in a process whose class path has these folders in front.
   *
   * @return a line for each test: {@code passed} or {@code failed}, its name and why, with tabs
   *     between; {@code end} after each time; {@code lost} and the class where the process did not
   *     come to its end
   */
  List<String> fork(List<Path> front, String test, int times)
      throws IOException, InterruptedException {
    Checkout.TestClass found = checkout.test(test);
    String classPath =
        Stream.concat(front.stream(), checkout.classPath().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "--add-modules", "jdk.incubator.vector"));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("audit."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-cp", classPath));
    command.addAll(List.of(ForkedTests.class.getName(), "" + times, found.name()));
    command.addAll(found.methods());
    Path said = Files.createTempFile("planted", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(found.room().toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      if (!process.waitFor(times * MOST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      return lines(test, times, Files.readString(said));
    } finally {
      Files.delete(said);
    }
  }

  private static List<String> lines(String test, int times, String said) {
    List<String> lines =
        said.lines()
            // A test may have printed half a line before.
            .filter(line -> line.contains(ForkedTests.MARK))
            .map(line -> line.substring(line.indexOf(ForkedTests.MARK)))
            .map(line -> line.substring(ForkedTests.MARK.length()))
            .collect(Collectors.toCollection(ArrayList::new));
    if (Collections.frequency(lines, ForkedTests.END) < times) {
      String last = said.lines().reduce("", (before, line) -> line);
      lines.add("lost\t" + test + "\t" + last);
    }
    return lines;
  }
}
