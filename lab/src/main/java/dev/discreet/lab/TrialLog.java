package dev.discreet.lab;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.JsonNumbers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The outcomes of an experiment, a line each, so that what was run need not be run again. A last
 * line that was cut short, by a full disk or a power cut, is as if it were not there.
 */
final class TrialLog {
  private final Path file;
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  // How many bytes of the file are whole lines.
  private long bytes;
  private boolean lineEnded = true;

  TrialLog(Path file) throws IOException {
    this.file = file;
    if (!Files.exists(file)) {
      return;
    }
    byte[] content = Files.readAllBytes(file);
    String text = new String(content, StandardCharsets.UTF_8);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      boolean last = i == lines.size() - 1;
      try {
        if (!lines.get(i).isBlank()) {
          read(lines.get(i));
        }
      } catch (IOException | RuntimeException e) {
        if (last && !text.endsWith("\n")) {
          bytes = afterLastLine(content);
          return;
        }
        throw new IOException(
            file + ", line " + (i + 1) + " is no kept trial; delete the line to run it again", e);
      }
    }
    bytes = content.length;
    lineEnded = text.isEmpty() || text.endsWith("\n");
  }

  private void read(String line) throws IOException {
    Map<String, Object> fields = JSON.std.mapFrom(line);
    Map<String, List<Double>> measures = new LinkedHashMap<>();
    ((Map<?, ?>) fields.get("measures"))
        .forEach(
            (name, values) ->
                measures.put(
                    (String) name,
                    ((List<?>) values)
                        .stream().map(value -> Double.valueOf(value.toString())).toList()));
    String trial = (String) fields.get("trial");
    Check.that(trial != null, "trial", "named", "none");
    outcomes.put(trial, new Outcome(measures));
    if (fields.get("seconds") instanceof Number took) {
      seconds.put(trial, took.doubleValue());
    }
  }

  synchronized Outcomes outcomes() {
    return new Outcomes(outcomes);
  }

  synchronized boolean has(Trial trial) {
    return outcomes.containsKey(trial.text());
  }

  /** How long a kept trial took. */
  synchronized OptionalDouble seconds(Trial trial) {
    Double took = seconds.get(trial.text());
    return took == null ? OptionalDouble.empty() : OptionalDouble.of(took);
  }

  /** Keeps an outcome at once. */
  synchronized void add(Trial trial, Outcome outcome, double took) throws IOException {
    Map<String, Object> measures = new LinkedHashMap<>();
    outcome
        .measures()
        .forEach(
            (name, values) -> measures.put(name, values.stream().map(TrialLog::number).toList()));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("trial", trial.text());
    fields.put("measures", measures);
    fields.put("seconds", Math.round(took * 10) / 10.0);
    byte[] line =
        ((lineEnded ? "" : "\n") + JsonNumbers.SHORTEST.asString(fields) + "\n")
            .getBytes(StandardCharsets.UTF_8);
    Folders.make(file.getParent());
    cutUnended();
    Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    lineEnded = true;
    bytes = Files.size(file);
    outcomes.put(trial.text(), outcome);
    seconds.put(trial.text(), took);
  }

  /** Takes off half a line at the end. Other processes may have added whole ones since. */
  private void cutUnended() throws IOException {
    if (!Files.exists(file) || Files.size(file) <= bytes) {
      return;
    }
    long whole = afterLastLine(Files.readAllBytes(file));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(whole);
    }
  }

  private static int afterLastLine(byte[] content) {
    int end = content.length;
    while (end > 0 && content[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  @Override
  public String toString() {
    return file.toString();
  }

  /** Seven digits are enough; what is not finite is text in JSON. */
  private static Object number(double value) {
    return Double.isFinite(value)
        ? (Object) Double.valueOf(String.format(Locale.ROOT, "%.7g", value))
        : Digits.shortest(value);
  }
}
