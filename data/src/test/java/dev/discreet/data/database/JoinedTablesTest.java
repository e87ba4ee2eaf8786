package dev.discreet.data.database;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableRows;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins that keep each row one person's, and queries of which nobody knows that. */
class JoinedTablesTest {
  private static final Optional<String> PERSON = Optional.of("person");

  private static EmbeddedPostgres server;
  private static String address;
  @TempDir private static Path folder;

  @BeforeAll
  static void fill() throws IOException, SQLException {
    server = EmbeddedPostgres.builder().start();
    address = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create table people (person text primary key, age int, region int)");
      statement.execute("create table visits (id int primary key, person text, cost int)");
      statement.execute("create table regions (region int primary key, name text)");
      statement.execute("create table days (region int, day int)");
      statement.execute("insert into people values ('ana', 30, 1), ('bo', 40, 2), ('cy', 50, 1)");
      statement.execute("insert into visits values (3, 'bo', 5), (1, 'ana', 7), (2, 'ana', 9)");
      statement.execute("insert into visits values (4, null, 1), (5, 'nobody', 2)");
      statement.execute("insert into regions values (1, 'north'), (2, 'south')");
      statement.execute("insert into days values (1, 1), (1, 2), (2, 1)");
      // To this database, Ana is ana.
      statement.execute(
          "create collation alike (provider = icu, locale = 'und-u-ks-level2',"
              + " deterministic = false)");
      statement.execute("create table loose (person text collate alike, n int)");
      statement.execute("create table other (person text collate alike, m int)");
      statement.execute("insert into loose values ('ana', 1), ('bo', 2)");
      statement.execute("insert into other values ('Ana', 10), ('ana', 20), ('bo', 30)");
      statement.execute("create table homes (id int primary key, place text collate alike)");
      statement.execute("create table places (place text primary key, name text)");
      statement.execute("insert into homes values (1, 'north'), (2, 'SOUTH')");
      statement.execute(
          "insert into places values ('north', 'a'), ('North', 'b'), ('NORTH', 'c'), ('south',"
              + " 'd')");
      statement.execute("create table rated (id int primary key, rate numeric)");
      statement.execute("create table rates (rate numeric primary key, cost int)");
      statement.execute("insert into rated values (1, 1.0), (2, 2)");
      statement.execute("insert into rates values (1, 5), (2.00, 6)");
      statement.execute("create table coded (id int primary key, code char(3))");
      statement.execute("create table codes (code char(5) primary key, cost int)");
      statement.execute("insert into coded values (1, 'a'), (2, 'b')");
      statement.execute("insert into codes values ('a', 3)");
      statement.execute("create table whole (person numeric(10, 0), n int)");
      statement.execute("create table parts (person numeric(10, 2), m int)");
      statement.execute("insert into whole values (1, 5)");
      statement.execute("insert into parts values (1, 7)");
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

  private static TableRows open(DatabaseSelection selection, Optional<String> unit)
      throws IOException {
    Properties login = new Properties();
    login.setProperty("user", "postgres");
    return DatabaseRows.open(address, selection, unit, login);
  }

  private static DatabaseSelection joined(String table, String... joins) {
    DatabaseSelection selection = DatabaseSelection.table(table);
    for (String join : joins) {
      selection = selection.join(DatabaseSelection.Join.parse(join));
    }
    return selection;
  }

  private static List<String> rows(DatabaseSelection selection, Optional<String> unit)
      throws IOException {
    List<String> found = new ArrayList<>();
    try (TableRows rows = open(selection, unit)) {
      found.add(rows.header().toString());
      for (List<?> row = rows.next(); row != null; row = rows.next()) {
        found.add(row.toString());
      }
    }
    return found;
  }

  private static void refused(DatabaseSelection selection, Optional<String> unit, String why) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> open(selection, unit).close());
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  @Test
  void aJoinOnTheUnitKeepsEachRowItsUnits() throws IOException {
    assertEquals(
        List.of(
            "[person, age, region, id, cost, name]",
            "[ana, 30, 1, 1, 7, north]",
            "[ana, 30, 1, 2, 9, north]"),
        rows(
            joined("people", "visits on person", "regions on region, public")
                .where("cost > 5 and name = 'north'"),
            PERSON));
  }

  /** What a database takes for one person may be two. */
  @Test
  void aRowOfTwoUnitsIsLeftOut() throws IOException {
    assertEquals(
        List.of("[person, n, m]", "[ana, 1, 20]", "[bo, 2, 30]"),
        rows(joined("loose", "other on person"), PERSON));
  }

  /** A key of a table is one by its own collation. */
  @Test
  void aRowHasOnePartnerInAPublicTable() throws IOException {
    assertEquals(
        List.of("[id, place, name]", "[1, north, a]"),
        rows(joined("homes", "places on place, public"), Optional.empty()));
    assertEquals(
        List.of("[id, rate, cost]", "[1, 1.0, 5]", "[2, 2, 6]"),
        rows(joined("rated", "rates on rate, public"), Optional.empty()));
    assertEquals(
        List.of("[id, code, cost]", "[1, a  , 3]"),
        rows(joined("coded", "codes on code, public"), Optional.empty()));
  }

  /** 1 and 1.00 are one unit, whatever the columns say of digits. */
  @Test
  void numbersAreJoinedAsTheDatabaseDoes() throws IOException {
    assertEquals(
        List.of("[person, n, m]", "[1, 5, 7]"), rows(joined("whole", "parts on person"), PERSON));
  }

  @Test
  void aJoinThatMixesUnitsIsRefused() {
    refused(joined("people", "visits on person"), Optional.empty(), "on the unit column");
    refused(joined("people", "regions on region"), PERSON, "on the unit column");
    refused(joined("people", "days on region, public"), Optional.empty(), "on its primary key");
    refused(joined("people", "people on person"), PERSON, "with another table");
    refused(joined("people", "visits on wage"), PERSON, "one of person, age, region");
    refused(
        joined("people", "days on region, public", "regions on region, public").where("x = 1"),
        PERSON,
        "column of table people and days and regions must be one of person, age");
  }

  @Test
  void aJoinSaysWhatItIs() {
    for (String text : List.of("a on b", "s.a on b, public", "t on c d")) {
      assertEquals(text, DatabaseSelection.Join.parse(text).text());
    }
    assertEquals(
        new DatabaseSelection.Join("on", "on", true),
        DatabaseSelection.Join.parse(" on ON on ,public"));
    for (String bad : List.of("", "a", "a on", "on b", "a on b\nc")) {
      assertThrows(IllegalArgumentException.class, () -> DatabaseSelection.Join.parse(bad), bad);
    }
  }

  /** As a table is, to the bit, where the query says no more than the table does. */
  @Test
  void aQueryIsSentInAnOrderOfItsRows() throws IOException {
    List<String> expected = List.of("[person, cost]", "[ana, 7]", "[ana, 9]", "[bo, 5]");
    String query = "select person, cost from visits where person in ('ana', 'bo')";
    assertEquals(expected, rows(DatabaseSelection.query(query), Optional.empty()));
    assertEquals(
        expected,
        rows(
            DatabaseSelection.query(query + " order by cost desc -- most first\n;"),
            Optional.empty()));
    assertEquals(
        List.of("[region, count, first]", "[1, 2, 30]", "[2, 1, 40]"),
        rows(
            DatabaseSelection.query(
                "with c as (select region, count(*), min(age) as first from people group by region)"
                    + " select * from c"),
            Optional.empty()));
  }

  @Test
  void aQueryIsOneSelectWithoutUnits() {
    for (String bad :
        List.of("delete from people", "select 1; drop table people", "table people", "")) {
      refused(DatabaseSelection.query(bad), Optional.empty(), "query must be one SELECT");
    }
    refused(
        DatabaseSelection.query("select * from people"), PERSON, "unit column must be left out");
    assertThrows(
        IOException.class,
        () ->
            open(DatabaseSelection.query("select setval('x', 1) from nowhere"), Optional.empty())
                .close());
    assertThrows(
        IllegalArgumentException.class, () -> DatabaseSelection.query("select 1").where("age > 3"));
  }

  /** No plan, whoever made it, promises a person anything of a query's rows. */
  @Test
  void onlyReturnedRowsAreProtected() throws IOException {
    Path csv = Files.writeString(folder.resolve("visits.csv"), "person,cost\nana,7\nana,9\nbo,5\n");
    DataOptions.Builder declared =
        DataOptions.builder().label("cost=0..10").columns(List.of("person=ana|bo")).testShare(0);
    DataSet file = DataSets.open(csv.toString(), declared.build());
    DataSet query =
        DataSets.open(
            address,
            declared
                .database(
                    DatabaseSelection.query(
                        "select person, cost from visits where person <> 'nobody'"))
                .build());
    assertArrayEquals(parameters(file, "row"), parameters(query, PrivacyUnit.RETURNED_ROW));
    for (PrivacyUnit wrong : List.of(PrivacyUnit.of("example"), new PrivacyUnit("person", true))) {
      Exception e = assertThrows(IllegalArgumentException.class, () -> query.train().check(wrong));
      assertTrue(e.getMessage().startsWith("unit must be returned row"), e.getMessage());
    }
    assertThrows(IllegalArgumentException.class, () -> parameters(query, "row"));
    assertTrue(query.train().isSelected() && !file.train().isSelected());
    String said = query.train().declared(PrivacyUnit.RETURNED_ROW);
    assertTrue(said.contains("nothing is promised to a person"), said);
  }

  private static float[] parameters(DataSet data, String unit) {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(2).steps(5).clip(1).unit(unit).build();
    return Trainer.of(Network.parse("dense(1)"), plan)
        .declaredUnits(3)
        .learningRate(0.5)
        .insecureSeed(7)
        .train(data.train(), null)
        .model()
        .parameters();
  }
}
