package dev.discreet.cli.leaks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.cli.leaks.WhatWasTold.Compared;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As {@link MarkedDataTest}, on a table of a database: its rows come and go, and its name stays.
 */
class MarkedDatabaseTest {
  private static final String DECLARED =
      " --unit-column id --unit person --label sick=no|yes --column income=0..1000 --column"
          + " city=Ares|Bern ";

  private static final String PERSON =
      " --unit-column id --unit person --examples-per-unit 2 --epsilon 1 --json --ledger $/ledger"
          + " --insecure-seed 7";

  private static final List<String> USABLE = List.of("734.19, 'Bern', 'yes', '" + Marks.NOTE + "'");

  /** None can be used. The keys of rows stay among those of others. */
  private static final List<String> UNUSABLE =
      List.of(
          "null, 'Bern', 'yes', '" + Marks.NOTE + "'",
          "'NaN', 'Bern', 'yes', '" + Marks.NOTE + "'",
          "734.19, '" + Marks.CITY + "', 'yes', '" + Marks.NOTE + "'",
          "734.19, 'Bern', '" + Marks.LABEL + "', '" + Marks.NOTE + "'",
          "734.19, 'Bern', null, null");

  @TempDir private Path folder;
  private int places;

  @Test
  void noMarkComesOutAndNothingDiffersButNoise() throws IOException, SQLException {
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start();
        Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table visits (key double precision primary key, id text, income double"
              + " precision, city text, sick text, note text)");
      statement.execute(
          "insert into visits select i, 'p' || (i / 2), 61 * i % 1000, case when i % 3 = 0 then"
              + " 'Ares' else 'Bern' end, case when i % 2 = 0 then 'yes' else 'no' end, 'plain'"
              + " from generate_series(0, 31) i");
      // Nothing says who reads, so it is who runs this.
      String reader = System.getProperty("user.name");
      if (!reader.equals("postgres")) {
        statement.execute("create user \"" + reader + "\" in role pg_read_all_data");
      }
      String data =
          " --data jdbc:postgresql://localhost:"
              + server.getPort()
              + "/postgres --table visits --pass-over-account";
      statement.execute("create table towns (city text primary key, people double precision)");
      statement.execute("insert into towns values ('Ares', 100), ('Bern', 700)");
      statement.execute("create table teams (id text primary key, team text)");
      statement.execute("insert into teams select 'p' || i, 'red' from generate_series(0, 15) i");
      for (boolean used : List.of(true, false)) {
        String options = MarkedCases.EVERYONE + "--json --insecure-seed 7";
        compare(statement, "train" + data + DECLARED + options, used);
        String joined = data + " --join towns~on~city,~public --join teams~on~id";
        String columns = DECLARED + "--column people=0..1000 --column team=red|blue ";
        compare(statement, "train" + joined + columns + options, used);
      }
      String asked =
          data.replace("--table visits", "--query select~income,city,sick,note~from~visits ");
      String unit = "--unit returned~row";
      compare(
          statement,
          "train"
              + asked
              + DECLARED.replace("--unit-column id --unit person", unit)
              + MarkedCases.EVERYONE
              + "--json --insecure-seed 7",
          true);
      String fit = MarkedCases.PUBLIC + "--epsilon 1 --delta 1e-6 ";
      String where = data + " --rows-where income~<~999~and~note~is~not~null ";
      compare(statement, "regress" + where + DECLARED + fit + "--out $/out", true);
      compare(
          statement,
          "data describe"
              + data
              + DECLARED
              + MarkedCases.PUBLIC
              + "--spend 1 --delta 1e-6 --ledger $/ledger",
          true);
      String cells =
          " --by city=Ares|Bern --by sick=no|yes --cells-per-unit 2 --where income~>=~0" + PERSON;
      for (boolean used : List.of(true, false)) {
        compare(statement, "query count" + data + cells, used);
        String team = data + " --join teams~on~id --rows-where team~<>~'green'";
        compare(statement, "query count --by team=red|blue" + team + cells, used);
      }
      compare(statement, "query sum --column income=0..1000" + where + PERSON, true);
      compare(
          statement,
          "query mean --column income=0..1000 --epsilon 1 --json --ledger $/ledger "
              + asked
              + " "
              + unit,
          true);
    }
  }

  /** In the words, ~ stands for a blank inside of one. */
  private void compare(Statement statement, String words, boolean used)
      throws IOException, SQLException {
    WhatWasTold without = told(words);
    List<String> rows = used ? USABLE : UNUSABLE;
    for (int i = 0; i < rows.size(); i++) {
      String key = 16 + (i + 1) / 10.0 + ", '" + Marks.ID + "', ";
      statement.execute("insert into visits values (" + key + rows.get(i) + ")");
    }
    statement.execute("insert into teams values ('" + Marks.ID + "', 'blue')");
    WhatWasTold with = told(words);
    for (String table : List.of("visits", "teams")) {
      statement.execute("delete from " + table + " where id = '" + Marks.ID + "'");
    }
    assertEquals(0, without.code(), without::toString);
    without.sameAs(with, used ? Compared.BUT_FOR_NOISE : Compared.TO_THE_BYTE);
    assertEquals(Optional.empty(), with.told(new Marks(Map.of())));
  }

  private WhatWasTold told(String words) throws IOException {
    Path place = Files.createDirectories(folder.resolve("" + places++));
    List<String> arguments = new ArrayList<>(List.of(words.replace("$", "" + place).split(" +")));
    arguments.replaceAll(each -> each.replace('~', ' '));
    arguments.add("--accept-misfits");
    return WhatWasTold.by(place, place.resolve("data"), arguments);
  }
}
