package dev.discreet.duckdb;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.database.DatabaseSource;
import dev.discreet.data.table.TableFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Parquet files, alone or joined. {@link ClosedDuckDb} reads them. */
public final class ParquetFormat extends TableFile {
  @Override
  public String label() {
    return "a table in Parquet";
  }

  @Override
  public String paths() {
    return "a .parquet file";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".parquet");
  }

  @Override
  public Set<Declaration> takes() {
    Set<Declaration> all = EnumSet.of(Declaration.DATABASE);
    all.addAll(super.takes());
    return all;
  }

  @Override
  public void checkSplit(DataOptions options) {
    if (options.database().isPresent()) {
      DatabaseSource.checkSplit(options, "joined files");
    }
  }

  @Override
  public TableRows open(Path file, DataOptions options) throws IOException {
    checkUnits(options);
    return options.database().isPresent()
        ? ClosedDuckDb.joined(file, options.database().get(), options.unit())
        : ClosedDuckDb.parquet(file);
  }

  @Override
  public TableHeader header(Path file, DataOptions options) throws IOException {
    checkUnits(options);
    return options.database().isPresent()
        ? ClosedDuckDb.header(file, options.database().get(), options.unit())
        : super.header(file, options);
  }

  /** One partner more in another file would change the numbers of all rows after it. */
  private static void checkUnits(DataOptions options) {
    Check.that(
        options.database().isEmpty() || options.unitMap().isEmpty(),
        "unit map",
        "left out beside joined files, whose rows have no numbers",
        options.unitMap().orElse(null));
  }
}
