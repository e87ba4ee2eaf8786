package dev.discreet.data.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableRows;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a real server. */
class DatabaseSourceTest {
  private static final List<List<Object>> PEOPLE = TestTables.people(1000);

  private static EmbeddedPostgres server;
  private static String address;
  @TempDir private static Path folder;
  private static Path csv;

  @BeforeAll
  static void fill() throws IOException, SQLException {
    csv = Files.writeString(folder.resolve("people.csv"), TestTables.csv(PEOPLE));
    server = EmbeddedPostgres.builder().start();
    address = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table people (id int primary key, person text, age smallint, income"
              + " numeric(10,2), weight double precision, region text, smoker boolean, born date,"
              + " seen timestamp, rich bigint)");
      List<List<Object>> shuffled = new ArrayList<>(PEOPLE);
      Collections.shuffle(shuffled, new Random(3));
      try (PreparedStatement insert =
          connection.prepareStatement(
              "insert into people values"
                  + " (?, ?, ?, ?::numeric, ?, ?, ?, ?::date, ?::timestamp, ?)")) {
        for (List<Object> row : shuffled) {
          for (int i = 0; i < row.size(); i++) {
            insert.setObject(i + 1, row.get(i));
          }
          insert.addBatch();
        }
        insert.executeBatch();
      }
      statement.execute("create view seen_people as select * from people");
      statement.execute("create schema other");
      statement.execute("create table other.\"odd \"\"one\" (\"a b\" int, c_d json)");
      statement.execute("insert into other.\"odd \"\"one\" values (2, '{}'), (1, '{}')");
      statement.execute("create table loose (a int, b text)");
      statement.execute("insert into loose values (2, 'x'), (1, 'y'), (1, 'x')");
      statement.execute("create table ends (at timestamp, d date, n numeric)");
      statement.execute("insert into ends values ('infinity', '-infinity', 'NaN')");
      // Whom the driver takes without a name is who runs the tests.
      String user = System.getProperty("user.name").replace("\"", "");
      if (!user.equals("postgres")) {
        statement.execute("create user \"" + user + "\" in role pg_read_all_data");
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static TableRows open(DatabaseSelection selection) throws IOException {
    Properties login = new Properties();
    login.setProperty("user", "postgres");
    return DatabaseRows.open(address, selection, Optional.empty(), login);
  }

  private static DatabaseSelection columns(String table, String... columns) {
    return new DatabaseSelection(
        Optional.of(table),
        List.of(),
        Optional.empty(),
        List.of(columns),
        Optional.empty(),
        List.of());
  }

  private static List<String> rows(DatabaseSelection selection) throws IOException {
    List<String> found = new ArrayList<>();
    try (TableRows rows = open(selection)) {
      for (List<?> row = rows.next(); row != null; row = rows.next()) {
        found.add(row.toString());
      }
      assertNull(rows.next());
    }
    return found;
  }

  private static void refused(DatabaseSelection selection, String why) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> open(selection).close());
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  @Test
  void aTableIsItsCsvToTheBit() throws IOException {
    for (Optional<String> unit : List.of(Optional.<String>empty(), Optional.of("person"))) {
      TestTables.assertSame(
          DataSets.openTable(csv.toString(), DataOptions.none()),
          open(DatabaseSelection.table("people")),
          unit);
    }
    DataOptions.Builder options = TestTables.declared();
    TestTables.assertSameModel(
        DataSets.open(csv.toString(), TestTables.declared().build()),
        DataSets.open(address, options.database(DatabaseSelection.table("people")).build()));
  }

  @Test
  void aConditionTakesRowsByWhatTheyHold() throws IOException {
    DatabaseSelection adults =
        columns("people", "id").where("age >= 18 and not (region in ('north') or smoker = true)");
    List<String> expected =
        PEOPLE.stream()
            .filter(row -> row.get(2) instanceof Long age && age >= 18)
            .filter(row -> !row.get(5).equals("north") && row.get(6).equals(false))
            .map(row -> "[" + row.get(0) + "]")
            .toList();
    assertEquals(expected, rows(adults));
    refused(columns("people").where("(select max(age) from people) = age"), "select");
    refused(columns("people").where("wage > 3"), "one of id, person");
  }

  @Test
  void onlyTablesOfTheirOwnAreRead() throws IOException {
    refused(DatabaseSelection.table("seen_people"), "Provided value: VIEW");
    refused(DatabaseSelection.table("nobody"), "one of public: ends, loose, people");
    refused(columns("people", "id", "wage"), "Provided value: wage");
    // Names are the database's own, whatever is in them, and never SQL.
    refused(DatabaseSelection.table("people; drop table people"), "table must be one of");
    assertEquals(List.of("[1]", "[2]"), rows(columns("other.odd \"one", "a b")));
    refused(DatabaseSelection.table("%eople"), "table must be one of");
  }

  /** How rows lie on a disk hangs on others; what they hold does not. */
  @Test
  void rowsAreInAnOrderOfTheirOwn() throws IOException {
    assertEquals(List.of("[1, x]", "[1, y]", "[2, x]"), rows(DatabaseSelection.table("loose")));
    Exception e =
        assertThrows(
            IOException.class, () -> open(DatabaseSelection.table("other.odd \"one")).close());
    assertTrue(e.getMessage().contains("ordering operator for type json"), e.getMessage());
  }

  @Test
  void noValueStopsTheReading() throws IOException {
    assertEquals(1, rows(DatabaseSelection.table("ends")).size());
  }

  @Test
  void rowsWithoutUnitsHaveNoPlaces() {
    DataOptions zeroOut =
        TestTables.declared()
            .database(DatabaseSelection.table("people"))
            .relation(Neighbouring.ZERO_OUT)
            .build();
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> DataSets.open(address, zeroOut));
    assertTrue(e.getMessage().startsWith("test share must be 0 under"), e.getMessage());
  }

  @Test
  void anAddressTellsNoPassword() {
    for (String bad :
        List.of(
            "jdbc:postgresql://ana:secret@host/db",
            "jdbc:postgresql://host/db?user=ana",
            "jdbc:postgresql://host/db?ssl=true&password=secret",
            "jdbc:sqlserver://host;databaseName=x;Password = secret",
            "jdbc:oracle:thin:scott/secret@//host:1521/x")) {
      Exception e =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  DataSets.openTable(
                      bad, DataOptions.builder().database(DatabaseSelection.table("t")).build()));
      assertTrue(e.getMessage().startsWith("address of a database must be without user"), "" + e);
      assertTrue(!e.getMessage().contains("secret"), e.getMessage());
    }
  }

  @Test
  void aLoginFileIsItsOwnersAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("login"), "user=ana\npassword=hush\n");
    Map<String, String> names = Map.of("DISCREET_DATA_LOGIN", file.toString());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThrows(IllegalArgumentException.class, () -> DatabaseLogin.of(names::get));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(
        Map.of("user", "ana", "password", "hush"), Map.copyOf(DatabaseLogin.of(names::get)));
    assertEquals(
        Map.of("user", "bob"),
        Map.copyOf(DatabaseLogin.of(Map.of("DISCREET_DB_USER", "bob")::get)));
  }

  @Test
  void aDriverThatIsNotThereIsAskedFor() {
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                DatabaseRows.open(
                    "jdbc:nosuch://host/db",
                    DatabaseSelection.table("t"),
                    Optional.empty(),
                    new Properties()));
    assertEquals(
        "driver of jdbc:nosuch must be in a jar that --driver or DISCREET_DRIVERS names. Provided"
            + " value: none",
        e.getMessage());
  }
}
