package dev.discreet.data.table;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import dev.discreet.data.TableFormat;
import dev.discreet.data.TableRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tables as text. {@link Csv} reads them. */
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
    return Set.of(Declaration.LABEL, Declaration.COLUMNS, Declaration.UNIT, Declaration.DIALECT);
  }

  @Override
  public boolean mayHaveTestPart() {
    return false;
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    return FileRows.only(
        Csv.read(path, options.dialect(), TableColumns.declared(path, options), options.unit()));
  }

  @Override
  public Optional<Examples> readInputs(Path file, DataOptions options) throws IOException {
    return options.columns().isEmpty()
        ? Optional.empty()
        : Optional.of(Csv.readInputs(file, options.dialect(), TableColumns.inputs(file, options)));
  }

  @Override
  public boolean readsAnyText() {
    return true;
  }

  @Override
  public TableRows open(Path file, DataOptions options) throws IOException {
    return CsvLines.open(file, options.dialect());
  }
}
