package dev.discreet.planted;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which test caught which bug, as a table of a document. */
record CaughtTable(PlantedRuns runs) {
  private static final String BEGIN = "<!-- planted: begin -->\n";
  private static final String END = "<!-- planted: end -->\n";

  /** The tests that failed in one run of a test class. */
  private Set<String> failed(String name, String test) {
    return runs.results(name, test).stream()
        .filter(line -> line.startsWith("failed\t"))
        .map(line -> line.split("\t")[1])
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Set<String> passed(String name, String test) {
    Set<String> passed =
        runs.results(name, test).stream()
            .filter(line -> line.startsWith("passed\t"))
            .map(line -> line.split("\t")[1])
            .collect(Collectors.toCollection(LinkedHashSet::new));
    passed.removeAll(failed(name, test));
    return passed;
  }

  /** By test class, the tests that fail on the bug and pass on the code as it is. */
  Map<String, Set<String>> caught(PlantedBug bug) {
    Map<String, Set<String>> caught = new LinkedHashMap<>();
    for (String test : PlantedRuns.candidates(bug)) {
      if (!runs.results(bug.slug(), test).contains(ForkedTests.END)) {
        // A process that ended before its last test may have failed for any reason.
        continue;
      }
      Set<String> failing = new TreeSet<>(failed(bug.slug(), test));
      failing.retainAll(passed(PlantedRuns.HONEST, test));
      if (!failing.isEmpty()) {
        caught.put(test, failing);
      }
    }
    return caught;
  }

  /** How many times the tests were run on the code as it is, and which failed then. */
  private String honest() {
    Set<String> tests = new TreeSet<>();
    PlantedBug.all().forEach(bug -> tests.addAll(PlantedRuns.candidates(bug)));
    int least = Integer.MAX_VALUE;
    List<String> alarms = new ArrayList<>();
    for (String test : tests) {
      List<String> lines = runs.results(PlantedRuns.HONEST, test);
      least = Math.min(least, Collections.frequency(lines, ForkedTests.END));
      alarms.addAll(failed(PlantedRuns.HONEST, test));
    }
    return "The same "
        + tests.size()
        + " test classes, or the methods named of them, on the code as it is, "
        + least
        + (least == 1 ? " time: " : " times each: ")
        + (alarms.isEmpty() ? "none failed." : "these failed: " + alarms)
        + "\n";
  }

  String text() {
    StringBuilder text = new StringBuilder();
    List<PlantedBug> bugs = PlantedBug.all();
    int byAny = 0;
    int byAudit = 0;
    StringBuilder rows = new StringBuilder();
    for (PlantedBug bug : bugs) {
      Map<String, Set<String>> caught = caught(bug);
      List<String> audits = caught.keySet().stream().filter(PlantedBug.audits()::contains).toList();
      byAny += caught.isEmpty() ? 0 : 1;
      byAudit += audits.isEmpty() ? 0 : 1;
      rows.append("| ").append(bug.name()).append(" | `");
      String path = bug.changes().get(0).path();
      rows.append(path.substring(path.lastIndexOf('/') + 1).replace(".java", "")).append("` | ");
      rows.append(tests(caught, false)).append(" | ").append(tests(caught, true)).append(" |\n");
    }
    text.append(bugs.size()).append(" bugs; caught by some test or audit: ").append(byAny);
    text.append("; caught by audits too: ").append(byAudit).append(".\n\n");
    text.append(
        "| bug | planted in | caught by tests | caught by audits |\n| --- | --- | --- | --- |\n");
    text.append(rows).append("\n").append(honest());
    return text.toString();
  }

  /** One test of each class, and how many more. */
  private static String tests(Map<String, Set<String>> caught, boolean audits) {
    List<String> words = new ArrayList<>();
    caught.forEach(
        (test, failing) -> {
          if (PlantedBug.audits().contains(test) == audits) {
            String more = failing.size() > 1 ? " and " + (failing.size() - 1) + " more" : "";
            words.add("`" + failing.iterator().next() + "`" + more);
          }
        });
    return words.isEmpty() ? "–" : String.join(", ", words);
  }

  /** Between the marks of a document. */
  void write(Path file) throws IOException {
    String before = Files.readString(file);
    int begin = before.indexOf(BEGIN);
    int end = before.indexOf(END);
    Check.that(begin >= 0 && end > begin, "document " + file, "with marks for the table", BEGIN);
    Files.writeString(
        file, before.substring(0, begin) + BEGIN + "\n" + text() + "\n" + before.substring(end));
  }
}
