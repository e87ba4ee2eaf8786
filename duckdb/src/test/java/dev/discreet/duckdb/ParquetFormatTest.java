package dev.discreet.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableRows;
import dev.discreet.data.database.TestTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import java.util.TimeZone;
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
    try (ClosedDuckDb database = ClosedDuckDb.open(List.of(parquet), ClosedDuckDb.MEMORY)) {
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

  /** DuckDB stops at such a cell, and says what is in it. */
  @Test
  void noMessageQuotesACell() throws IOException, SQLException {
    for (int row : List.of(1, 30_000)) {
      Path bad = folder.resolve("bytes.parquet");
      write(
          "select 'name' || i as name, i as age from range(40000) as r(i)",
          bad,
          "compression uncompressed, dictionary_size_limit 0, row_group_size 2048");
      byte[] bytes = Files.readAllBytes(bad);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      int at = text.indexOf("name" + row);
      while (!Character.isISOControl(text.charAt(at + ("name" + row).length()))) {
        at = text.indexOf("name" + row, at + 1);
      }
      bytes[at] = (byte) 0xff;
      Files.write(bad, bytes);
      Exception e =
          assertThrows(
              IOException.class,
              () -> {
                try (TableRows rows = DataSets.openTable(bad.toString(), DataOptions.none())) {
                  while (rows.next() != null) {
                    assertNotNull(rows.place());
                  }
                }
              });
      assertTrue(e.getMessage().endsWith("(outside the guarantee, for your eyes)."), "" + e);
      assertFalse(e.getMessage().contains("ame" + row), e.getMessage());
      assertNull(e.getCause());
    }
  }

  /** Rows are told from each other by what they hold, lists and structures too. */
  @Test
  void aRowIsTheSameWheneverItIsRead() throws IOException, SQLException {
    Path nested = folder.resolve("nested.parquet");
    write(
        "select ['a'::blob, 'b'::blob] as bytes, {'a': [1, 2], 'b': 'x'::blob} as parts, map {'k':"
            + " 1} as pairs, time '10:00' as at, uuid() as id, interval 3 day as days,"
            + " timestamp '2026-03-29 02:30:00' as seen",
        nested,
        "compression zstd");
    TimeZone zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try (TableRows one = DataSets.openTable(nested.toString(), DataOptions.none());
        TableRows other = DataSets.openTable(nested.toString(), DataOptions.none())) {
      List<?> row = one.next();
      assertEquals(row, other.next());
      assertFalse(row.toString().contains("@"), row.toString());
      assertEquals("2026-03-29T02:30:00", row.get(6));
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  /** That is for one file, and is not a database that anybody may name. */
  @Test
  void itsDriverIsNoneOfDatabases() {
    Path written = folder.resolve("written.duckdb");
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                DataSets.openTable(
                    "jdbc:duckdb:" + written,
                    DataOptions.builder().database(DatabaseSelection.table("t")).build()));
    assertTrue(e.getMessage().startsWith("driver of jdbc:duckdb must be in a jar"), "" + e);
    assertFalse(Files.exists(written));
  }

  /** In a path of Windows a backslash is no sign of DuckDB's. */
  @Test
  void windowsNamesFoldersOtherwise() {
    assertEquals("C:/data/x.parquet", ClosedDuckDb.name("C:\\data\\x.parquet", '\\'));
    assertEquals("/data/a\\b", ClosedDuckDb.name("/data/a\\b", '/'));
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
