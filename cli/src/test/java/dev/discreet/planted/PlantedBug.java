package dev.discreet.planted;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A mistake that somebody could make, as a change of our sources.
 *
 * @param name the mistake in plain words
 * @param why what it does to the guarantee
 * @param tests simple names of test classes, or {@code Class#method}, that may notice it; all
 *     audits may too
 * @param changes what is written instead of what
 */
record PlantedBug(String name, String why, List<String> tests, List<Change> changes) {
  private static final String CATALOGUE = "bugs.txt";

  /**
   * One place of a source file.
   *
   * @param path from the root of the repository
   */
  record Change(String path, String before, String after) {
    /** Refuses a source that does not have the place, or has it twice: the code has moved on. */
    String applied(String source) {
      int at = source.indexOf(before);
      Check.that(
          !before.isEmpty() && at >= 0 && source.indexOf(before, at + 1) < 0,
          "place to change in " + path,
          "there exactly once",
          before);
      return source.substring(0, at) + after + source.substring(at + before.length());
    }
  }

  PlantedBug {
    Check.that(!why.isEmpty(), "why of the bug " + name, "given", why);
    Check.that(!changes.isEmpty(), "changes of the bug " + name, "at least one", 0);
  }

  /** All bugs, in the order of the catalogue. */
  static List<PlantedBug> all() {
    return parse(text().lines().toList());
  }

  /** Simple names of the test classes that attack what runs, and know nothing of how it is made. */
  static List<String> audits() {
    return text()
        .lines()
        .filter(line -> line.startsWith("audits: "))
        .flatMap(line -> words(line.substring("audits: ".length())).stream())
        .toList();
  }

  private static String text() {
    try (InputStream in = PlantedBug.class.getResourceAsStream(CATALOGUE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("[, ]+")).filter(word -> !word.isEmpty()).toList();
  }

  /** The catalogue says at its top what its lines mean. */
  static List<PlantedBug> parse(List<String> lines) {
    List<PlantedBug> bugs = new ArrayList<>();
    List<String> block = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("bug: ") && !block.isEmpty()) {
        bugs.add(one(block));
        block.clear();
      }
      if (line.startsWith("bug: ") || !block.isEmpty()) {
        block.add(line);
      }
    }
    if (!block.isEmpty()) {
      bugs.add(one(block));
    }
    return bugs;
  }

  private static PlantedBug one(List<String> block) {
    Map<String, String> fields = new LinkedHashMap<>();
    List<Change> changes = new ArrayList<>();
    String path = "";
    StringBuilder before = new StringBuilder();
    StringBuilder after = new StringBuilder();
    for (String line : block) {
      char kind = line.isEmpty() ? '#' : line.charAt(0);
      String rest = line.isEmpty() ? "" : line.substring(1) + "\n";
      switch (kind) {
        case '-' -> before.append(rest);
        case '+' -> after.append(rest);
        case ' ' -> {
          before.append(rest);
          after.append(rest);
        }
        case '#' -> {}
        default -> {
          int colon = line.indexOf(':');
          String field = line.substring(0, Math.max(0, colon));
          String value = line.substring(colon + 1).strip();
          Check.that(
              List.of("bug", "why", "tests", "in").contains(field),
              "line of the catalogue",
              "a field or a line of source",
              line);
          if (field.equals("in")) {
            add(changes, path, before, after);
            path = value;
          } else {
            fields.merge(field, value, (one, two) -> one + " " + two);
          }
        }
      }
    }
    add(changes, path, before, after);
    return new PlantedBug(
        fields.get("bug"),
        fields.getOrDefault("why", ""),
        words(fields.getOrDefault("tests", "")),
        changes);
  }

  private static void add(
      List<Change> changes, String path, StringBuilder before, StringBuilder after) {
    if (before.length() > 0) {
      changes.add(new Change(path, before.toString(), after.toString()));
      before.setLength(0);
      after.setLength(0);
    }
  }

  /** The name as one word, for folders. */
  String slug() {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  /** The changed sources by their paths. */
  Map<String, String> sources(Path root) throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (Change change : changes) {
      if (!sources.containsKey(change.path)) {
        sources.put(change.path, Files.readString(root.resolve(change.path)));
      }
      sources.put(change.path, change.applied(sources.get(change.path)));
    }
    return sources;
  }
}
