package dev.discreet.lab;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.train.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The evaluations of a run in parts. A resumed run tells those since it was resumed; a curve needs
 * those before too.
 */
record EvaluationLog(Path file) {

  /** Takes off a line that was cut short when the process was killed: before anything is added. */
  void mend() throws IOException {
    if (Files.exists(file)) {
      String text = Files.readString(file);
      Files.writeString(file, text.substring(0, text.lastIndexOf('\n') + 1));
    }
  }

  void add(Event.Evaluated event) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("step", event.step());
    fields.put("examples", event.evaluation().examples());
    fields.put("loss", Digits.shortest(event.evaluation().loss()));
    event
        .evaluation()
        .match(
            classes -> fields.put("confusion", classes.confusion()),
            regression -> {
              fields.put("error", Digits.shortest(regression.meanSquaredError()));
              return fields.put("variance", Digits.shortest(regression.variance()));
            });
    Files.write(
        file,
        (JsonNumbers.SHORTEST.asString(fields) + "\n").getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** What is kept and these, by step. */
  List<Event.Evaluated> with(List<Event.Evaluated> later) throws IOException {
    Map<Long, Event.Evaluated> all = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        Event.Evaluated event = read(JSON.std.mapFrom(line));
        all.put(event.step(), event);
      }
    }
    later.forEach(event -> all.put(event.step(), event));
    return new ArrayList<>(all.values());
  }

  private static Event.Evaluated read(Map<String, Object> fields) {
    int examples = whole(fields.get("examples"));
    double loss = Double.parseDouble((String) fields.get("loss"));
    Evaluation evaluation =
        fields.get("confusion") instanceof List<?> rows
            ? new Evaluation.Classification(
                examples,
                loss,
                rows.stream()
                    .map(row -> ((List<?>) row).stream().map(EvaluationLog::whole).toList())
                    .toList())
            : new Evaluation.Regression(
                examples,
                loss,
                Double.parseDouble((String) fields.get("error")),
                // Earlier versions kept none.
                Double.parseDouble((String) fields.getOrDefault("variance", "NaN")));
    return new Event.Evaluated(((Number) fields.get("step")).longValue(), evaluation);
  }

  private static int whole(Object value) {
    return ((Number) value).intValue();
  }
}
