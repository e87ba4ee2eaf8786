package dev.discreet.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.TableRows;
import dev.discreet.data.database.TestTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetFormatTest {
  @TempDir private static Path folder;
  private static Path csv;
  private static Path parquet;

  @BeforeAll
  static void write() throws IOException, SQLException {
    csv = Files.writeString(folder.resolve("people.csv"), TestTables.csv(TestTables.people(1000)));
    parquet = folder.resolve("peo'ple.parquet");
    write(
        "select * from read_csv('"
            + csv
            + "', header = true, columns = {id: 'INTEGER', person: 'VARCHAR', age: 'SMALLINT',"
            + " income: 'DECIMAL(10,2)', weight: 'DOUBLE', region: 'VARCHAR', smoker: 'BOOLEAN',"
            + " born: 'DATE', seen: 'TIMESTAMP', rich: 'BIGINT'})",
        parquet,
        "row_group_size 128");
  }

  /** By a DuckDB that may do anything. */
  static void write(String rows, Path to, String how) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "copy ("
              + rows
              + ") to '"
              + to.toString().replace("'", "''")
              + "' (format parquet, "
              + how
              + ")");
    }
  }

  @Test
  void aFileIsItsCsvToTheBit() throws IOException {
    for (Optional<String> unit : List.of(Optional.<String>empty(), Optional.of("person"))) {
      TestTables.assertSame(
          DataSets.openTable(csv.toString(), DataOptions.none()),
          DataSets.openTable(parquet.toString(), DataOptions.none()),
          unit);
    }
    DataOptions declared = TestTables.declared().build();
    TestTables.assertSameModel(
        DataSets.open(csv.toString(), declared), DataSets.open(parquet.toString(), declared));
  }

  @Test
  void nothingButTheFileIsReached() throws SQLException, IOException {
    Path other = Files.copy(parquet, folder.resolve("other.parquet"));
    try (ClosedDuckDb database = ClosedDuckDb.open(parquet)) {
      for (String each :
          List.of(
              "select * from read_parquet('" + other + "')",
              "select * from read_csv('" + csv + "')",
              "select * from glob('" + folder + "/*')",
              "copy (select 1) to '" + folder.resolve("written.csv") + "'",
              "attach '" + folder.resolve("written.db") + "'",
              "install httpfs",
              "load httpfs",
              "select * from read_parquet('http://127.0.0.1:1/x.parquet')",
              "set enable_external_access = true",
              "set allowed_paths = ['" + other + "']",
              "create persistent secret s (type s3)")) {
        try (Statement statement = database.connection().createStatement()) {
          assertThrows(
              SQLException.class,
              () -> {
                statement.execute(each);
                statement.getResultSet().next();
              },
              each);
        }
      }
    }
    assertFalse(Files.exists(folder.resolve("written.csv")));
    assertFalse(Files.exists(folder.resolve("written.db")));
  }

  @Test
  void namesThatMeanSeveralFilesAreRefused() throws IOException {
    Path several = Files.copy(parquet, folder.resolve("[ab].parquet"));
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () -> DataSets.openTable(several.toString(), DataOptions.none()));
    assertTrue(e.getMessage().contains("without *, ?, brackets"), e.getMessage());
  }

  /** Columns of a path's names would not be the file's. */
  @Test
  void foldersAreNoColumns() throws IOException {
    Path inside = Files.createDirectories(folder.resolve("year=2026")).resolve("x.parquet");
    Files.copy(parquet, inside);
    try (TableRows rows = DataSets.openTable(inside.toString(), DataOptions.none())) {
      assertEquals(TestTables.HEADER, rows.header());
    }
  }

  @Test
  void whatIsNoParquetIsRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("text.parquet"), "a,b\n1,2\n");
    Exception e =
        assertThrows(
            IOException.class, () -> DataSets.openTable(text.toString(), DataOptions.none()));
    assertTrue(e.getMessage().contains("must be a Parquet file that is whole"), e.getMessage());
  }

  /** Damage is refused, or seen in values: it ends nothing else. */
  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    byte[] whole = Files.readAllBytes(parquet);
    Random random = new Random(11);
    Path bad = folder.resolve("bad.parquet");
    int refused = 0;
    int tries = Integer.getInteger("inputs", 100);
    for (int i = 0; i < tries; i++) {
      byte[] bytes = whole.clone();
      int footer = 4000;
      for (int j = 0; j <= random.nextInt(4); j++) {
        int at =
            i % 2 == 0 ? bytes.length - 1 - random.nextInt(footer) : random.nextInt(bytes.length);
        bytes[at] = (byte) random.nextInt(256);
      }
      Files.write(bad, bytes);
      try (TableRows rows = DataSets.openTable(bad.toString(), DataOptions.none())) {
        while (rows.next() != null) {
          assertNotNull(rows.place());
        }
      } catch (IOException | IllegalArgumentException e) {
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
        refused++;
      }
    }
    assertTrue(refused > 0 && refused < tries, "" + refused);
  }
}
