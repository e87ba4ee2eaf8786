package dev.discreet.data.format;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import dev.discreet.data.TableFormat;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Tables as text. {@link Csv} reads examples from them, and this class plain cells. */
public final class CsvFormat implements TableFormat {
  @Override
  public String label() {
    return "a table";
  }

  @Override
  public String paths() {
    return "a .csv or .tsv file";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz", ".tab.gz");
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.LABEL, Declaration.COLUMNS, Declaration.UNIT);
  }

  @Override
  public boolean mayHaveTestPart() {
    return false;
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    return FileRows.only(
        Csv.read(
            path,
            TableColumns.label(path, options),
            TableColumns.columns(path, options),
            options.unit()));
  }

  @Override
  public Optional<Examples> readInputs(Path file, DataOptions options) throws IOException {
    return options.columns().isEmpty()
        ? Optional.empty()
        : Optional.of(Csv.readInputs(file, TableColumns.columns(file, options)));
  }

  @Override
  public boolean readsAnyText() {
    return true;
  }

  @Override
  public void checkColumns(Path file, List<String> columns) throws IOException {
    try (InputStream in = Gzip.open(file)) {
      places(file, new CsvLines(file, in, Csv.delimiter(file)), columns);
    } catch (IOException e) {
      throw FileErrors.named(file, e);
    }
  }

  @Override
  public void readCells(Path file, List<String> columns, Consumer<List<String>> row)
      throws IOException {
    try (InputStream in = Gzip.open(file)) {
      CsvLines lines = new CsvLines(file, in, Csv.delimiter(file));
      List<Integer> places = places(file, lines, columns);
      for (List<String> cells = lines.next(); cells != null; cells = lines.next()) {
        List<String> found = cells;
        // A row that is too short has empty cells: one bad row must not decide what comes out.
        row.accept(places.stream().map(i -> i < found.size() ? found.get(i).strip() : "").toList());
      }
    } catch (IOException e) {
      throw FileErrors.named(file, e);
    }
  }

  /** Where each column stands in a row, by the header. */
  private static List<Integer> places(Path file, CsvLines lines, List<String> columns)
      throws IOException {
    List<String> header = Csv.header(file, lines);
    List<Integer> places = new ArrayList<>();
    for (String column : columns) {
      places.add(Csv.find(file, header, column, "column"));
    }
    return places;
  }
}
