package dev.discreet.duckdb;

import dev.discreet.data.DataOptions;
import dev.discreet.data.TableRows;
import dev.discreet.data.table.TableFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Parquet files. {@link ClosedDuckDb} reads them. */
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
  public TableRows open(Path file, DataOptions options) throws IOException {
    return ClosedDuckDb.parquet(file);
  }
}
