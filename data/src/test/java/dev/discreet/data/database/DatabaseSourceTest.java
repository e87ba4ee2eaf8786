package dev.discreet.data.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.TimeZone;
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
      statement.execute(
          "create table marked (id int primary key, doc xml, at time, long interval, u uuid,"
              + " bits bit(2), yes boolean)");
      statement.execute(
          "insert into marked values (2, '<b/>', '11:00', '1 hour',"
              + " '00000000-0000-0000-0000-000000000002', '10', null), (1, '<a/>', '10:00:00.5',"
              + " '1 day', '00000000-0000-0000-0000-000000000001', '01', true)");
      statement.execute("create table listed (id int primary key, tags int[])");
      statement.execute("insert into listed values (1, '{1,2}')");
      statement.execute("create table sevens (person numeric, n int)");
      statement.execute("insert into sevens values (7, 1), (7.0, 2), (7.00, 3), (8, 4)");
      statement.execute("create foreign data wrapper nowhere");
      statement.execute("create server away foreign data wrapper nowhere");
      statement.execute("create table parted (id int, n int) partition by range (id)");
      statement.execute(
          "create table near partition of parted for values from (0) to (9) partition by range (n)");
      statement.execute(
          "create foreign table far partition of near for values from (0) to (9) server away");
      statement.execute("create table parent (id int)");
      statement.execute("create foreign table heir () inherits (parent) server away");
      statement.execute(
          "create table moments (id int primary key, plain timestamp, zoned timestamptz)");
      statement.execute(
          "insert into moments values (1, '2026-03-29 02:30', '2025-12-31 20:00+00'),"
              + " (2, '2026-03-29 02:30', '2026-01-01 00:00+00')");
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
    refused(
        DatabaseSelection.table("nobody"), "one of public: ends, listed, loose, marked, moments");
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
    assertTrue(e.getMessage().contains("--table-columns reads others"), e.getMessage());
  }

  /** What cannot be computed is not: no row is asked for where names alone are wanted. */
  @Test
  void namesAreToldWithoutARow() throws IOException {
    DataOptions.Builder options = DataOptions.builder();
    options.database(DatabaseSelection.query("select 1 / (id - id) as x1, 2 as x2 from people"));
    assertEquals(
        new TableHeader("query", List.of("x1", "x2")), DataSets.header(address, options.build()));
    assertThrows(IOException.class, () -> DataSets.openTable(address, options.build()));
    options.database(DatabaseSelection.table("people"));
    assertEquals(TestTables.HEADER, DataSets.header(address, options.build()).columns());
    assertEquals(TestTables.HEADER, DataSets.header(csv.toString(), DataOptions.none()).columns());
    assertThrows(
        IllegalArgumentException.class, () -> DataSets.header("digits", DataOptions.none()));
  }

  @Test
  void noValueStopsTheReading() throws IOException {
    assertEquals(1, rows(DatabaseSelection.table("ends")).size());
  }

  /** It tells of one person, so it is for the operator. */
  @Test
  void aSelectionWithoutRowsIsToldToTheOperatorAlone() {
    DataOptions.Builder options = TestTables.declared();
    Exception e =
        assertThrows(
            IOException.class,
            () ->
                DataSets.open(
                    address,
                    options
                        .database(DatabaseSelection.table("people").where("person = 'zoe'"))
                        .build()));
    assertEquals(
        "table people must have at least one row (outside the guarantee, for your eyes).",
        e.getMessage());
  }

  /** Or a row would be another one whenever it is read, and held out at one time alone. */
  @Test
  void aRowIsTheSameWheneverItIsRead() throws IOException {
    List<String> marked = rows(DatabaseSelection.table("marked"));
    assertEquals(
        List.of(
            "[1, <a/>, 10:00:00.5, 1 day, 00000000-0000-0000-0000-000000000001, 01, t]",
            "[2, <b/>, 11:00:00, 01:00:00, 00000000-0000-0000-0000-000000000002, 10, null]"),
        marked.stream().map(row -> row.replace("true", "t")).toList());
    refused(
        DatabaseSelection.table("listed"),
        "column tags must be of single values that have a text (--table-columns reads others)."
            + " Provided value: _int4");
    refused(
        DatabaseSelection.query("select array[id] as ids from marked"),
        "column ids must be of single values");
    assertEquals(List.of("[1]"), rows(columns("listed", "id")));
  }

  /** What is one number to a database is one person. */
  @Test
  void numbersThatAreEqualAreOneUnit() throws IOException {
    DataSet data =
        DataSets.open(
            address,
            DataOptions.builder()
                .database(DatabaseSelection.table("sevens"))
                .unit("person")
                .label("n=0..10")
                .columns(List.of("person=0..10"))
                .testShare(0)
                .build());
    assertEquals(2, data.train().units().count());
  }

  /** What lies elsewhere is no table of its own, not even a part of one. */
  @Test
  void aTableWithPartsElsewhereIsRefused() {
    refused(DatabaseSelection.table("parted"), "one without partitions that lie elsewhere");
    refused(DatabaseSelection.table("parent"), "one without partitions that lie elsewhere");
  }

  /** A machine elsewhere reads the same, and an hour that its clocks skip. */
  @Test
  void theZoneOfThisMachineChangesNothing() throws IOException {
    TimeZone zone = TimeZone.getDefault();
    for (String each : List.of("UTC", "Asia/Tokyo", "Europe/Berlin")) {
      TimeZone.setDefault(TimeZone.getTimeZone(each));
      try {
        assertEquals(
            List.of("[2, 2026-03-29T02:30:00, 2026-01-01T00:00:00Z]"),
            rows(DatabaseSelection.table("moments").where("zoned >= '2026-01-01'")),
            each);
      } finally {
        TimeZone.setDefault(zone);
      }
    }
  }

  /** What a database says of a value has the value in it. */
  @Test
  void noMessageQuotesARow() {
    for (String query :
        List.of("select b::int as n from loose", "select a / (a - 1) as n from loose")) {
      Exception e =
          assertThrows(
              IOException.class,
              () -> {
                try (TableRows found = open(DatabaseSelection.query(query))) {
                  while (found.next() != null) {
                    assertTrue(found.place().startsWith("row"));
                  }
                }
              });
      assertTrue(
          e.getMessage().matches(".* cannot be read, SQLSTATE 22.*outside the guarantee.*"),
          e.getMessage());
    }
    Exception e =
        assertThrows(
            IOException.class, () -> open(DatabaseSelection.query("select wage from loose")));
    assertTrue(e.getMessage().contains("column \"wage\" does not exist"), e.getMessage());
  }

  @Test
  void noMessageNamesWhoReads() {
    Properties login = new Properties();
    login.setProperty("user", "bob");
    Exception e =
        assertThrows(
            IOException.class,
            () ->
                DatabaseRows.open(
                    address, DatabaseSelection.table("people"), Optional.empty(), login));
    assertTrue(e.getMessage().contains("role \"…\" does not exist"), e.getMessage());
  }

  @Test
  void aNumberThatWouldFillTheMemoryIsGarbled() throws IOException, SQLException {
    for (String each : List.of("1E1000000000", "1E-1000000000", "0E-1000000000")) {
      ResultSetMetaData known =
          fake(
              ResultSetMetaData.class,
              Map.of("getColumnCount", 1, "getColumnLabel", "n", "getColumnTypeName", "decfloat"));
      ResultSet rows =
          fake(
              ResultSet.class,
              Map.of("getMetaData", known, "next", true, "getObject", new BigDecimal(each)));
      assertEquals(List.of("\uFFFD"), new ResultRows("t", rows, () -> {}).next());
    }
  }

  /** What says the same whenever it is asked, and otherwise nothing. */
  private static <T> T fake(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                answers.getOrDefault(
                    method.getName(), method.getReturnType() == int.class ? 0 : null)));
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
