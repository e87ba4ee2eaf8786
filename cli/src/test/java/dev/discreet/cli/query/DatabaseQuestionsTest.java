package dev.discreet.cli.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about rows of a real server, beside the same rows in files. */
class DatabaseQuestionsTest {
  private static final String PERSON =
      " --unit-column person --unit person --examples-per-unit 2 --cells-per-unit 2";
  private static final String SELECT =
      "select region, max(cost) as cost from visits group by region, age";

  @TempDir private static Path folder;
  private static EmbeddedPostgres server;
  private static String address;

  /** One row as both have it; every eleventh person has a cell that is none of those declared. */
  private static String row(int i) {
    String region = i % 11 == 0 ? "east" : i % 2 == 0 ? "north" : "south";
    String cost = i % 50 == 7 ? "" : String.valueOf(i * 7 % 60 + 0.25);
    return i + ",p" + i * 13 % 300 + "," + region + "," + i % 90 + "," + cost;
  }

  @BeforeAll
  static void start() throws IOException, SQLException {
    server = EmbeddedPostgres.builder().start();
    address = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    List<String> rows = IntStream.range(0, 1000).mapToObj(DatabaseQuestionsTest::row).toList();
    csv("visits", "id,person,region,age,cost", rows.stream());
    csv(
        "adults",
        "id,person,region,age,cost",
        rows.stream().filter(row -> Integer.parseInt(row.split(",")[3]) >= 18));
    csv(
        "joined",
        "id,person,region,age,cost,team,people",
        rows.stream()
            .filter(row -> !row.contains("east"))
            .map(row -> row + (row.contains("north") ? ",red,100" : ",blue,700")));
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table visits (id int primary key, person text, region text, age int, cost double"
              + " precision)");
      statement.execute(
          rows.stream()
              .map(row -> "('" + row.replace(",", "','") + "')")
              .map(row -> row.replace("''", "null"))
              .collect(Collectors.joining(",", "insert into visits values ", "")));
      statement.execute("create table towns (region text primary key, people int)");
      statement.execute("insert into towns values ('north', 100), ('south', 700)");
      statement.execute("create table teams (region text primary key, team text)");
      statement.execute("insert into teams values ('north', 'red'), ('south', 'blue')");
      statement.execute("create table accounts (person text primary key, plan text)");
      statement.execute(
          "insert into accounts select distinct person, 'basic' from visits where age >= 0");
      statement.execute("create view seen as select * from visits");
      // Nothing says who reads, so it is who runs this.
      String reader = System.getProperty("user.name");
      if (!reader.equals("postgres")) {
        statement.execute("create user \"" + reader + "\" in role pg_read_all_data");
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static void csv(String name, String header, Stream<String> rows) throws IOException {
    Files.write(folder.resolve(name + ".csv"), Stream.concat(Stream.of(header), rows).toList());
  }

  /** In the words, ~ stands for a blank inside of one. */
  private static Run ask(String words) {
    List<String> arguments = new ArrayList<>(List.of(("query " + words).strip().split(" +")));
    arguments.replaceAll(each -> each.replace('~', ' '));
    return Run.of(arguments.toArray(String[]::new));
  }

  private static String rows(String selection) {
    return " --data " + address + selection + " --pass-over-account";
  }

  private static String told(String words) {
    Run run = ask(words + " --json --insecure-seed 5 --accept-misfits");
    assertEquals(0, run.code(), run.err());
    return run.out();
  }

  private static void sameAs(String file, String selection, String question) {
    assertEquals(
        told(question + " --data " + folder.resolve(file + ".csv")),
        told(question + rows(selection)),
        question);
  }

  private static String refused(String words) {
    return ask(words).line(2);
  }

  @Test
  void theSameRowsHaveTheSameAnswers() throws IOException {
    for (String question :
        List.of(
            "count --epsilon 1",
            "count --epsilon 1 --column cost",
            "sum --epsilon 1 --column cost=0..50",
            "sum --epsilon 1 --column cost=0..50 --neighbouring replace-one",
            "mean --epsilon 1 --column cost=0..50 --neighbouring replace-one",
            "mean --epsilon 1 --column cost=0..50 --by region=north|south" + PERSON,
            "variance --epsilon 1 --column cost=0..50",
            "ratio --epsilon 1 --column cost=0..50 --over age=0..100",
            "histogram --epsilon 1 --column region --categories north|south --delta 1e-6",
            "quantile --epsilon 1 --column cost --bounds 0..50 --quantile 0.5",
            "count --epsilon 1 --where age~>=~18~and~cost~is~not~null --margins"
                + " --by region=north|south --by age=0,18,65,120")) {
      sameAs("visits", " --table visits", question);
    }
    Path asked = folder.resolve("asked.yaml");
    Files.writeString(
        asked,
        "epsilon: 1\nunit-column: person\nunit: person\nexamples-per-unit: 2\n"
            + "questions:\n- ask: count\n  by: [region=north|south]\n  cells-per-unit: 2\n"
            + "- ask: mean\n  column: cost=0..50\n");
    sameAs("visits", " --table visits", "ask " + asked);
  }

  @Test
  void conditionsAndJoinsSelectRows() {
    String mean = "mean --epsilon 1 --column cost=0..50";
    sameAs("adults", " --table visits --rows-where age~>=~18", mean);
    sameAs("adults", " --table visits --rows-where age>=18", mean + " --where region~=~'north'");
    sameAs("visits", " --table visits --table-columns id,cost", mean);
    // Nobody is left, and nobody learns that.
    assertTrue(told(mean + rows(" --table visits --rows-where age>900")).contains("\"value\""));
    String towns = " --table visits --join towns~on~region,~public --table-columns cost,people";
    String joined = told("sum --epsilon 1 --column people=0..1000" + rows(towns));
    String declared = "\"The table towns was declared public.\"";
    assertTrue(joined.contains("\"declared\":" + declared), joined);
    assertEquals(
        told("sum --epsilon 1 --column people=0..1000 --data " + folder.resolve("joined.csv")),
        joined.replace(",\"declared\":" + declared, ""));
    String people = " --table visits --join accounts~on~person --table-columns person,cost,plan";
    Run own = ask(mean + " --accept-misfits" + people(people));
    assertEquals(0, own.code(), own.err());
    assertTrue(own.out().contains("a unit is all that both tables have of it"), own.out());
    assertTrue(refused(mean + rows(people)).contains("join"), "whose rows are joined is not said");
  }

  private static String people(String selection) {
    return rows(selection) + " --unit-column person --unit person --examples-per-unit 2";
  }

  @Test
  void aQueryProtectsReturnedRows() {
    String count = "count --epsilon 1 --column region";
    String query = rows(" --query " + SELECT.replace(' ', '~'));
    assertTrue(
        refused(count + query).contains("unit must be returned row for a query, said as such"));
    assertTrue(
        refused(count + query + " --unit person --one-row-each")
            .contains("unit must be returned row for a query"));
    String unit = " --unit returned~row";
    assertTrue(
        refused(count + query + unit + " --unit-column region --examples-per-unit 1")
            .contains("unit column must be left out beside a query"));
    Path ledger = folder.resolve("asked.ledger");
    for (String json : List.of("", " --json")) {
      Run told = ask(count + query + unit + json + " --ledger " + ledger);
      assertEquals(0, told.code(), told.err());
      assertTrue(told.out().contains("returned row"), told.out());
      assertTrue(told.out().contains("nothing is promised to a person"), told.out());
    }
    String spent = Run.of("epsilon --ledger " + ledger + " --delta 1e-6").out();
    assertTrue(spent.contains("nothing is promised to a person"), spent);
  }

  /** Under replace-one a sum and a mean take the number of all rows as public. */
  @Test
  void howManyRowsAreSelectedIsNotTaken() {
    String question = " --epsilon 1 --column cost=0..50 --neighbouring replace-one";
    String query = " --query " + SELECT.replace(' ', '~') + " --unit returned~row";
    for (String selection :
        List.of(
            " --table visits --rows-where age>=18",
            " --table visits --join towns~on~region,~public --table-columns cost,people",
            query)) {
      for (String verb : List.of("sum", "mean")) {
        for (String declared : List.of("", " --declared-units 900")) {
          String refused = refused(verb + question + declared + rows(selection));
          assertTrue(
              refused.contains("neighbouring must be add/remove for a " + verb + " of rows that"),
              refused);
        }
      }
      told("count" + question + rows(selection));
      told("mean" + question + " --where cost~>=~0" + rows(selection));
    }
    told("mean" + question + people(" --table visits --rows-where age>=18"));
    // Nor does it stand in what is said for free of rows that do not fit.
    String histogram = "histogram --categories north|south --epsilon 1 --column region";
    for (String selection : List.of(" --table visits --rows-where age>=18", query)) {
      for (String accept : List.of("", " --accept-misfits")) {
        String said = ask(histogram + rows(selection) + accept).err();
        assertTrue(said.contains("rows that were selected of " + address), said);
        assertTrue(said.contains("column region has \"east\""), said);
        assertFalse(said.replace(address, "").replace("1%", "").matches("(?s).*[0-9].*"), said);
      }
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws IOException {
    String count = "count --epsilon 1";
    String table = " --table visits";
    String undecided = refused(count + " --data " + address + table);
    assertTrue(undecided.contains("account of " + address + " must be named"), undecided);
    for (String option :
        List.of("--table visits", "--rows-where age>1", "--join a~on~b", "--driver x.jar")) {
      String refused = refused(count + " --data " + folder.resolve("visits.csv") + " " + option);
      assertTrue(refused.contains(option.split(" ")[0] + " is for rows of a database"), refused);
    }
    String written = refused(count + rows(table) + " --delimiter semicolon");
    assertTrue(written.contains("--delimiter is for a table in a file"), written);
    assertTrue(refused(count + rows("")).contains("table must be named"));
    assertTrue(refused(count + rows(" --table seen")).contains("seen"));
    String column = refused(count + " --column height" + rows(table));
    assertTrue(column.contains("must have the column height"), column);
    String other = refused(count + rows(table + " --rows-where age>(select~1)"));
    assertTrue(other.contains("rows where"), other);
    Path asked = folder.resolve("sent.yaml");
    String questions = "epsilon: 1\nquestions:\n- ask: count\n";
    for (String key : List.of("query: select 1", "driver: [evil.jar]")) {
      Files.writeString(asked, key + "\n" + questions);
      String refused = refused("ask " + asked + rows(""));
      assertTrue(refused.contains("sent.yaml, line 1: "), refused);
      assertTrue(refused.contains("must be given as an option"), refused);
    }
    Files.writeString(asked, "data: " + address + "\ntable: visits\n" + questions);
    String called = refused("ask " + asked + " --pass-over-account");
    assertTrue(called.contains("sent.yaml, line 1: database of the data must be the one"), called);
    told("ask " + asked + rows(""));
  }

  /** What is refused costs nothing, and what is answered is charged. */
  @Test
  void theAccountPays() {
    Path account = folder.resolve("people.account");
    Run.of(
            "account open "
                + account
                + " --epsilon 3 --delta 1e-6 --unit person --unit-column person")
        .done();
    String charged = " --data " + address + " --table visits --account " + account;
    String limit = " --examples-per-unit 2";
    assertTrue(refused("count --epsilon 1" + charged).contains("--examples-per-unit N is missing"));
    refused("count --epsilon 1 --column height" + charged + limit);
    Run none = Run.of("account show " + account);
    Run told = ask("count --epsilon 1 --json" + charged + limit);
    assertTrue(told.object().containsKey("account"), told.out());
    assertEquals("person", told.object().get("unit"));
    Run show = Run.of("account show " + account);
    assertFalse(show.out().equals(none.out()), show.out());
    String query = " --data " + address + " --query " + SELECT.replace(' ', '~');
    String other = refused("count --epsilon 1 --unit returned~row --account " + account + query);
    assertTrue(other.contains("unit must be that of the account, person"), other);
    String beyond = refused("count --epsilon 9" + charged + limit);
    assertTrue(beyond.contains("What would fit: epsilon"), beyond);
  }
}
