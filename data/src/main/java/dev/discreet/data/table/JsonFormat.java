package dev.discreet.data.table;

import dev.discreet.data.DataOptions;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.text.ColumnPatterns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Objects of JSON. {@link JsonRows} reads them. */
public final class JsonFormat extends TableFile {
  @Override
  public String label() {
    return "a table in JSON";
  }

  @Override
  public String paths() {
    return "a .json or .jsonl file";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz");
  }

  @Override
  public TableRows open(Path file, DataOptions options) throws IOException {
    if (options.columns().isEmpty()) {
      throw FileErrors.usage(
          file,
          "must have its columns declared, each by its name: JSON has no line of names, and those of"
              + " one object may be one person's.");
    }
    Set<String> names = new LinkedHashSet<>();
    options.unit().ifPresent(names::add);
    options.columns().stream().map(ColumnPatterns::name).forEach(names::add);
    options.label().map(ColumnPatterns::name).ifPresent(names::add);
    return JsonRows.open(file, List.copyOf(names));
  }

  /** No row is asked which names it has. */
  @Override
  public void checkColumns(Path file, DataOptions options, List<String> columns) {}

  @Override
  public void readPlaced(
      Path file,
      DataOptions options,
      List<String> columns,
      BiConsumer<List<String>, Supplier<String>> row)
      throws IOException {
    try (TableRows rows = JsonRows.open(file, List.copyOf(new LinkedHashSet<>(columns)))) {
      for (List<?> cells = rows.next(); cells != null; cells = rows.next()) {
        List<String> found = new ArrayList<>();
        for (String column : columns) {
          int place = rows.header().indexOf(column);
          found.add(place < cells.size() ? CellText.of(cells.get(place)).strip() : "");
        }
        row.accept(found, rows::place);
      }
    }
  }
}
