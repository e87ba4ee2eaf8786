package dev.discreet.data.table;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import dev.discreet.data.Rows;
import dev.discreet.data.TableFormat;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A format of files that hold one table, and know their columns. */
public abstract class TableFile implements TableFormat {
  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.LABEL, Declaration.COLUMNS, Declaration.UNIT);
  }

  @Override
  public final boolean mayHaveTestPart() {
    return false;
  }

  @Override
  public final boolean readsAnyText() {
    return false;
  }

  @Override
  public final FileRows read(Path path, DataOptions options) throws IOException {
    return FileRows.only(read(path, options, TableColumns.declared(path, options), options.unit()));
  }

  @Override
  public final Optional<Examples> readInputs(Path file, DataOptions options) throws IOException {
    return options.columns().isEmpty()
        ? Optional.empty()
        : Optional.of(
            read(file, options, TableColumns.inputs(file, options), Optional.empty())
                .fitting()
                .examples());
  }

  private Rows read(Path path, DataOptions options, TableColumns declared, Optional<String> unit)
      throws IOException {
    try (TableRows rows = open(path, options)) {
      return TableReading.read(rows, declared, unit, Runtime.getRuntime().maxMemory() / 4);
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }
}
