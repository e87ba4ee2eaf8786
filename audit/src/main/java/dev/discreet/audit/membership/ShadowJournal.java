package dev.discreet.audit.membership;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DurableLines;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The scores of models that were trained for an audit, on the disk as soon as each is there. An
 * audit that was killed goes on with those that it finds. They tell of private rows: the first line
 * says so.
 */
public final class ShadowJournal implements AutoCloseable {
  /** The name of the file. */
  public static final String FILE = "scores.lines";

  // Null where nothing is kept.
  private final DurableLines lines;
  private final Map<String, ModelScores> known = new LinkedHashMap<>();

  /** Keeps nothing: what is killed is lost. */
  public ShadowJournal() {
    lines = null;
  }

  /**
   * Opens or makes the file.
   *
   * @param notice the first line, which says what must not be done with the file
   * @param digest of the game; the file of another one is refused
   */
  public ShadowJournal(Path folder, String notice, String digest) {
    Path file = folder.resolve(FILE);
    lines = DurableLines.open(file);
    try {
      String first = notice + " Game " + digest + ".";
      List<String> existing = lines.existing();
      if (existing.isEmpty()) {
        lines.append(first);
        return;
      }
      Check.that(
          existing.get(0).equals(first),
          "out",
          "a new folder, or that of the same audit: this one has scores of another",
          folder);
      for (String line : existing.subList(1, existing.size())) {
        int space = line.indexOf(' ');
        Check.that(space > 0, "line of " + file, "the scores of a model", line);
        known.put(line.substring(0, space), ModelScores.parse(line.substring(space + 1)));
      }
    } catch (RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  /**
   * The scores of a model: those that are there, or else new ones, which are then kept.
   *
   * @param name of the model, without spaces
   */
  public ModelScores scores(String name, Supplier<ModelScores> trained) {
    ModelScores before = known.get(name);
    if (before != null) {
      return before;
    }
    ModelScores scores = trained.get();
    if (lines != null) {
      lines.append(name + " " + scores.text());
    }
    known.put(name, scores);
    return scores;
  }

  /** Whether the scores of a model are there. */
  public boolean knows(String name) {
    return known.containsKey(name);
  }

  @Override
  public void close() {
    if (lines != null) {
      lines.close();
    }
  }
}
