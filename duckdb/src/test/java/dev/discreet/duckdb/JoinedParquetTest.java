package dev.discreet.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableRows;
import dev.discreet.data.database.TestTables;
import dev.discreet.data.internal.CellText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins of files keep each row one person's, as those of a database's tables do. */
class JoinedParquetTest {
  private static final Optional<String> PERSON = Optional.of("person");
  private static final String PLAIN = "compression zstd";

  @TempDir private static Path folder;
  private static Path people;
  private static Path visits;
  private static Path regions;

  @BeforeAll
  static void write() throws SQLException {
    people = written("people", peopleBut(""));
    visits = written("visits", visitsBut(""));
    regions =
        written(
            "regions", "select * from (values (1::bigint, 'north'), (2, 'south')) r(code, region)");
  }

  private static Path written(String name, String rows) throws SQLException {
    Path file = folder.resolve(name + ".parquet");
    ParquetFormatTest.write(rows, file, PLAIN);
    return file;
  }

  private static String peopleBut(String left) {
    return "select 'p' || i as person, case when i % 13 = 4 then null else i * 7 % 100 end as age,"
        + " 1 + i % 3 as code, i % 3 = 0 as smoker from range(97) t(i) where 'p' || i <> '"
        + left
        + "' order by i * 31 % 97";
  }

  private static String visitsBut(String left) {
    return "select case when i % 31 = 5 then null else 'p' || (i % 120) end as person, i * 131 % 9000"
        + " as income, i * 0.37::double - 11 as weight, i % 2 as rich from range(600) t(i) where"
        + " person is distinct from '"
        + left
        + "'";
  }

  /** The join as somebody writes it down, in the order of what the rows hold. */
  private static List<List<Object>> byHand() {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      int who = i % 120;
      if (i % 31 != 5 && who < 97 && who % 3 < 2) {
        rows.add(
            Arrays.asList(
                "p" + who,
                who % 13 == 4 ? null : (Object) (who * 7 % 100),
                1 + who % 3,
                who % 3 == 0,
                i * 131 % 9000,
                i * 0.37 - 11,
                i % 2,
                who % 3 == 0 ? "north" : "south"));
      }
    }
    // Of one person all that stands before the income is the same.
    rows.sort(
        Comparator.<List<Object>, String>comparing(row -> (String) row.get(0))
            .thenComparing(row -> (Integer) row.get(4))
            .thenComparing(row -> (Double) row.get(5)));
    return rows;
  }

  private static DatabaseSelection joins(String... joins) {
    DatabaseSelection selection = DatabaseSelection.file();
    for (String each : joins) {
      selection = selection.join(DatabaseSelection.Join.parse(each));
    }
    return selection;
  }

  private static DatabaseSelection all() {
    return joins(visits + " on person", regions + " on code, public");
  }

  private static DataOptions options(DatabaseSelection selection, Optional<String> unit) {
    DataOptions.Builder options = DataOptions.builder().database(selection);
    unit.ifPresent(options::unit);
    return options.build();
  }

  private static TableRows open(Path file, DatabaseSelection selection, Optional<String> unit)
      throws IOException {
    return DataSets.openTable(file.toString(), options(selection, unit));
  }

  private static List<String> rows(Path file, DatabaseSelection selection, Optional<String> unit)
      throws IOException {
    List<String> found = new ArrayList<>();
    try (TableRows rows = open(file, selection, unit)) {
      for (List<?> row = rows.next(); row != null; row = rows.next()) {
        found.add(row.toString());
      }
    }
    return found;
  }

  private static void refused(
      Path file, DatabaseSelection selection, Optional<String> unit, String why) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> open(file, selection, unit).close(), why);
    assertTrue(e.getMessage().contains(why), e.getMessage());
    assertEquals(1, e.getMessage().lines().count());
  }

  @Test
  void aJoinIsTheOneMadeByHandToTheBit() throws IOException {
    StringBuilder text = new StringBuilder("person,age,code,smoker,income,weight,rich,region\n");
    for (List<Object> row : byHand()) {
      text.append(String.join(",", row.stream().map(CellText::of).toList())).append('\n');
    }
    Path csv = Files.writeString(folder.resolve("joined.csv"), text);
    assertTrue(byHand().size() > 250);
    TestTables.assertSame(
        DataSets.openTable(csv.toString(), DataOptions.none()),
        open(people, all(), PERSON),
        PERSON);
    assertEquals(
        List.of("person", "age", "code", "smoker", "income", "weight", "rich", "region"),
        DataSets.header(people.toString(), options(all(), PERSON)).columns());
  }

  /** Who comes or goes moves no other's rows. */
  @Test
  void onePersonsRowsComeOfThatPersonsAlone() throws IOException, SQLException {
    List<String> with = rows(people, all(), PERSON);
    Path fewer = written("fewer", peopleBut("p30"));
    Path rest = written("rest", visitsBut("p30"));
    DatabaseSelection others = joins(rest + " on person", regions + " on code, public");
    List<String> kept = with.stream().filter(row -> !row.startsWith("[p30,")).toList();
    assertTrue(kept.size() < with.size());
    for (Path one : List.of(people, fewer)) {
      for (DatabaseSelection selection : List.of(all(), others)) {
        boolean both = one == people && selection != others;
        assertEquals(both ? with : kept, rows(one, selection, PERSON));
      }
    }
  }

  @Test
  void numbersThatAreEqualAreOneKey() throws IOException, SQLException {
    Path whole = written("whole", "select 1::decimal(10, 0) as person, 5 as n");
    Path parts = written("parts", "select 1::decimal(10, 2) as person, 7 as m");
    assertEquals(List.of("[1, 5, 7]"), rows(whole, joins(parts + " on person"), PERSON));
    Path spaced = written("spaced", "select * from (values ('a', 1), ('a ', 2)) t(person, n)");
    Path plain = written("plain", "select * from (values ('a', 3), ('A', 4)) t(person, m)");
    assertEquals(List.of("[a, 1, 3]"), rows(spaced, joins(plain + " on person"), PERSON));
  }

  @Test
  void aPublicFileGivesEachRowOnePartner() throws IOException, SQLException {
    Path twice =
        written(
            "twice", "select * from (values (1::bigint, 'a'), (1, 'b'), (null, 'c')) t(code, n)");
    Path nothing =
        written(
            "nothing",
            "select * from (values (1::bigint, 'a'), (null, 'b'), (null, 'c')) t(code, n)");
    String join = " on code, public";
    refused(people, joins(twice + join), Optional.empty(), "a column without the same twice");
    assertEquals(33, rows(people, joins(nothing + join), Optional.empty()).size());
    assertEquals(66, rows(people, joins(twice + join), PERSON).size());
    // 0.0 and -0.0 are one number to whoever joins.
    Path zeros = written("zeros", "select unnest([0.0, -0.0]::double[]) as code, 1 as n");
    Path zero = written("zero", "select 0.0::double as code, 2 as m");
    refused(zero, joins(zeros + join), Optional.empty(), "a column without the same twice");
  }

  @Test
  void aJoinThatMixesUnitsIsRefused() throws IOException, SQLException {
    refused(people, joins(visits + " on person"), Optional.empty(), "on the unit column");
    refused(people, joins(regions + " on code"), PERSON, "on the unit column");
    refused(people, joins(visits + " on wage"), PERSON, "one of person, age, code, smoker");
    refused(people, joins(regions + " on person, public"), PERSON, "one of code, region");
    refused(people, joins(people + " on person"), PERSON, "with other rows than before");
    Path copy = Files.copy(people, folder.resolve("copy.parquet"));
    refused(people, joins(copy + " on person, public"), PERSON, "with other rows than before");
    refused(people, joins(visits + " on person").where("age > 3"), PERSON, "left out for files");
    Path texts = written("texts", "select '1' as code, 'x' as n");
    refused(people, joins(texts + " on code, public"), PERSON, "of one type in both tables");
    Path ages = written("ages", "select person, age from '" + people + "'");
    refused(people, joins(ages + " on person"), PERSON, "--table-columns may leave it out");
    DatabaseSelection some =
        new DatabaseSelection(
            Optional.empty(),
            joins(ages + " on person").joins(),
            Optional.empty(),
            List.of("person", "code"),
            Optional.empty(),
            List.of());
    assertEquals(97, rows(people, some, PERSON).size());
  }

  @Test
  void onlyParquetIsJoined() throws IOException, SQLException {
    Path csv = Files.writeString(folder.resolve("more.csv"), "person,n\np1,1\n");
    refused(people, joins(csv + " on person"), PERSON, "of text, types would be guessed");
    refused(csv, joins(visits + " on person"), PERSON, "of text would be guessed from rows");
    Path none = folder.resolve("none.parquet");
    refused(people, joins(none + " on person"), PERSON, "join must be a file that exists");
    refused(people, joins(folder + "/*.parquet on person"), PERSON, "a file that exists");
    Path text = Files.writeString(folder.resolve("words.parquet"), "person,n\np1,1\n");
    Exception e =
        assertThrows(
            IOException.class, () -> open(people, joins(text + " on person"), PERSON).close());
    assertTrue(e.getMessage().startsWith(text + " must be a Parquet file"), e.getMessage());
  }

  @Test
  void nothingButTheFilesIsReached() throws IOException, SQLException {
    try (ClosedDuckDb database = ClosedDuckDb.open(List.of(people, visits), ClosedDuckDb.MEMORY);
        Statement statement = database.connection().createStatement()) {
      for (Path each : List.of(people, visits)) {
        statement.executeQuery("select * from '" + each + "'").close();
      }
      assertThrows(SQLException.class, () -> statement.executeQuery("from '" + regions + "'"));
    }
  }

  /** How many partners there are is nobody's to know, and rows have no places. */
  @Test
  void joinedRowsAreSelected() throws IOException {
    DataOptions.Builder declared = TestTables.declared().database(all()).unit("person");
    DataSet set = DataSets.open(people.toString(), declared.build());
    String said = set.train().declared("person");
    assertTrue(said.contains("The table " + regions + " was declared public."), said);
    assertTrue(said.contains("a unit is all that both tables have of it"), said);
    for (DataSet.Part part : List.of(set.train(), set.test().orElseThrow())) {
      assertTrue(part.isSelected());
    }
    assertEquals(
        visits + " on person; " + regions + " on code, public",
        DataSets.describe(people.toString(), declared.build()).facts().get("joined"));
    Path map = folder.resolve("map.csv");
    DataOptions mapped =
        TestTables.declared().database(joins(regions + " on code, public")).unitMap(map).build();
    for (DataOptions wrong :
        List.of(
            mapped,
            TestTables.declared()
                .database(joins(regions + " on code, public"))
                .relation(Neighbouring.REPLACE_ONE)
                .build())) {
      assertThrows(IllegalArgumentException.class, () -> DataSets.open(people.toString(), wrong));
    }
  }

  /** A public test beside is one file, and has all columns. */
  @Test
  void publicRowsAreNotJoined() throws IOException, SQLException {
    Path test =
        written(
            "test",
            "select 't' || i as person, 30 as age, 5 as income, 1.5 as weight, 'north' as region, true as smoker, i % 2"
                + " as rich from range(10) t(i)");
    DataSet set =
        DataSets.open(
            people.toString(),
            TestTables.declared().database(all()).unit("person").publicTest(test).build());
    assertEquals(10, set.test().orElseThrow().examples().size());
    assertTrue(set.train().isSelected() && !set.test().orElseThrow().isSelected());
    Path own = Files.copy(test, folder.resolve("own.parquet"));
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                DataSets.open(
                    written("ids", "select 't' || i as person from range(10) t(i)").toString(),
                    TestTables.declared()
                        .database(joins(own + " on person"))
                        .unit("person")
                        .publicTest(test)
                        .build()));
    assertTrue(e.getMessage().contains("other rows than the private data's own"), e.getMessage());
  }
}
