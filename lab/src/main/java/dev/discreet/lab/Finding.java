package dev.discreet.lab;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.report.Article.Figure;
import dev.discreet.report.Article.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an experiment says: the content of its page.
 *
 * @param question what the document claims, in a sentence or two
 * @param measure what the numbers of the table are: {@code test accuracy, %}
 * @param rows published beside ours
 * @param tables further tables
 * @param verdicts whether orderings and sizes are as published, and where not, why
 * @param rulings those in the verdicts, in their order
 * @param assumed where the document is silent, what was taken; and what differs from it
 * @param runFile a run file that gives one of the rows with {@code discreet train}, or a command
 *     that shows much the same; empty for none
 * @param isCommand whether it is a command
 * @param trials what it rests on, run or not
 */
public record Finding(
    String question,
    String measure,
    List<Row> rows,
    List<Table> tables,
    List<Figure> figures,
    List<String> verdicts,
    List<Ruling> rulings,
    List<String> assumed,
    String runFile,
    boolean isCommand,
    List<Trial> trials) {
  public Finding {
    rows = List.copyOf(rows);
    tables = List.copyOf(tables);
    figures = List.copyOf(figures);
    verdicts = List.copyOf(verdicts);
    rulings = List.copyOf(rulings);
    assumed = List.copyOf(assumed);
    trials = List.copyOf(trials);
    Check.that(
        figures.stream().map(Figure::file).distinct().count() == figures.size(),
        "files of figures",
        "distinct",
        figures.stream().map(Figure::file).toList());
  }

  /** Whether not one row has a number of ours. */
  public boolean isEmpty() {
    return rows.stream().allMatch(row -> row.ours().size() == 0);
  }

  /** The rows as {@code --json} prints them; what is missing is null, and a quick run is marked. */
  public List<Map<String, Object>> json(Experiment experiment, Effort effort) {
    return rows.stream()
        .map(
            row -> {
              Map<String, Object> fields = new LinkedHashMap<>();
              fields.put("experiment", experiment.name());
              fields.put("setting", row.setting());
              fields.put("method", row.method());
              fields.put("published", number(row.published()));
              fields.put("ours", number(row.ours().mean()));
              fields.put("sd", number(row.ours().deviation()));
              fields.put("seeds", row.ours().size());
              if (effort.quick()) {
                fields.put("quick", true);
              }
              return fields;
            })
        .toList();
  }

  private static Object number(double value) {
    return Double.isNaN(value)
        ? null
        : Double.isInfinite(value)
            ? Digits.shortest(value)
            : (Object) Double.valueOf(String.format(Locale.ROOT, "%.8g", value));
  }
}
