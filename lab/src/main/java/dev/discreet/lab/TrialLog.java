package dev.discreet.lab;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outcomes of an experiment, a line each, so that what was run need not be run again. */
final class TrialLog {
  private final Path file;
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
  private boolean wholeLines = true;

  TrialLog(Path file) throws IOException {
    this.file = file;
    if (!Files.exists(file)) {
      return;
    }
    String text = Files.readString(file);
    wholeLines = text.isEmpty() || text.endsWith("\n");
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      boolean cutShort = i == lines.size() - 1 && !wholeLines;
      if (!cutShort && !lines.get(i).isBlank()) {
        read(lines.get(i), i + 1);
      }
    }
  }

  private void read(String line, int number) throws IOException {
    try {
      Map<String, Object> fields = JSON.std.mapFrom(line);
      Map<String, List<Double>> measures = new LinkedHashMap<>();
      ((Map<?, ?>) fields.get("measures"))
          .forEach(
              (name, values) ->
                  measures.put(
                      (String) name,
                      ((List<?>) values)
                          .stream().map(value -> Double.valueOf(value.toString())).toList()));
      outcomes.put((String) fields.get("trial"), new Outcome(measures));
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          file + ", line " + number + " is no kept trial; delete the line to run it again", e);
    }
  }

  synchronized Outcomes outcomes() {
    return new Outcomes(outcomes);
  }

  synchronized boolean has(Trial trial) {
    return outcomes.containsKey(trial.text());
  }

  /** Keeps an outcome at once. */
  synchronized void add(Trial trial, Outcome outcome, double seconds) throws IOException {
    Map<String, Object> measures = new LinkedHashMap<>();
    outcome
        .measures()
        .forEach(
            (name, values) -> measures.put(name, values.stream().map(TrialLog::number).toList()));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("trial", trial.text());
    fields.put("measures", measures);
    fields.put("seconds", Math.round(seconds * 10) / 10.0);
    Files.createDirectories(file.getParent());
    Files.write(
        file,
        ((wholeLines ? "" : "\n") + JSON.std.asString(fields) + "\n")
            .getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    wholeLines = true;
    outcomes.put(trial.text(), outcome);
  }

  /** Seven digits say all that there is to say; what is no number JSON has as text. */
  private static Object number(double value) {
    return Double.isFinite(value)
        ? (Object) Double.valueOf(String.format(java.util.Locale.ROOT, "%.7g", value))
        : Double.toString(value);
  }
}
