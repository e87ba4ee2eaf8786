package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Main;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a table of a real server, whose user and password are in the environment alone. */
class DatabaseRunTest {
  private static final String PASSWORD = "not-to-be-said";

  @TempDir private Path folder;

  @Test
  void aTableIsTrainedOn() throws IOException, InterruptedException, SQLException {
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
      String address = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "create table visits as select i as id, 'p' || i % 500 as person, i % 90 as age,"
                + " i % 2 as sick from generate_series(1, 2000) i");
        statement.execute("alter table visits add primary key (id)");
        statement.execute("create user reader in role pg_read_all_data");
      }
      Path out = folder.resolve("run");
      String data =
          " --data " + address + " --table visits --rows-where age>=18 --unit-column person";
      String learn =
          " --unit person --label sick=0|1 --column age=0..100 --model logistic --epsilon 1"
              + " --steps 5 --quiet --out "
              + out;
      String undecided = discreet(2, "", "train" + data + learn);
      assertTrue(undecided.contains("account of " + address + " must be named with --account"));
      howManyThereAreIsNotTold(data, learn + " --pass-over-account");
      learn += " --declared-units 400";
      discreet(0, "", "train" + data + learn + " --pass-over-account");
      try (Stream<Path> files = Files.walk(out)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          assertFalse(text.contains(PASSWORD) || text.contains("reader"), file.toString());
        }
      }
      assertTrue(Files.readString(out.resolve("run.yaml")).contains("table: visits"));
      questionsAreAsked(address);
      // A folder that somebody sent calls nobody.
      String again = "evaluate --pass-over-account --run " + out;
      String refused = discreet(2, "", again);
      assertTrue(refused.contains("the one that DISCREET_DB names"), refused);
      discreet(0, address, again);
      aQueryIsTrainedOn(address);
    }
  }

  /** Or any condition would be answered to the last person, at no cost. */
  private void howManyThereAreIsNotTold(String data, String learn)
      throws IOException, InterruptedException {
    String fit = learn.replaceAll(" --(model logistic|steps 5|quiet)", "");
    Path ledger = folder.resolve("ledger");
    for (String words :
        List.of(
            "train" + data + learn,
            "regress" + data + fit,
            "data describe"
                + data
                + fit.replaceAll(" --(epsilon 1|out [^ ]*)", "")
                + " --spend 1 --ledger "
                + ledger)) {
      String refused = discreet(2, "", words);
      assertTrue(
          refused.contains("declared units must be given (--declared-units) for rows that"),
          refused);
    }
    assertFalse(Files.exists(folder.resolve("run")) || Files.exists(ledger));
    // That of a whole table is as public as any.
    discreet(
        0,
        "",
        "regress" + data.replaceAll(" --rows-where [^ ]*", "") + fit.replace("run ", "all "));
  }

  /** A file that somebody sent calls only the database that this machine knows. */
  private void questionsAreAsked(String address) throws IOException, InterruptedException {
    Path asked = folder.resolve("asked.yaml");
    Path ledger = folder.resolve("asked.ledger");
    Path out = folder.resolve("asked.csv");
    Files.writeString(
        asked,
        "data: "
            + address
            + "\ntable: visits\nrows-where: age >= 18\nunit-column: person\nunit: person\n"
            + "examples-per-unit: 2\nepsilon: 1\nquestions:\n- ask: mean\n  column: age=0..100\n");
    String words = "query ask " + asked + " --pass-over-account";
    String refused = discreet(2, "", words);
    assertTrue(refused.contains("the one that DISCREET_DB names"), refused);
    discreet(0, address, words + " --ledger " + ledger + " --out " + out);
    for (Path file : List.of(ledger, out)) {
      String text = Files.readString(file);
      assertFalse(text.contains(PASSWORD) || text.contains("reader"), file.toString());
    }
  }

  /** Whom its rows are of, nobody knows: that is said, or nothing is spent. */
  private void aQueryIsTrainedOn(String address) throws IOException, InterruptedException {
    Path out = folder.resolve("asked");
    List<String> query =
        List.of("--query", "select age, max(sick) as sick from visits group by age, person");
    List<String> train =
        Stream.concat(
                Stream.of(
                    ("train --data "
                            + address
                            + " --label sick=0|1 --column age=0..100 --model logistic --epsilon 1"
                            + " --steps 5 --quiet --pass-over-account --out "
                            + out)
                        .split(" ")),
                query.stream())
            .toList();
    String unsaid = discreet(2, "", train);
    assertTrue(unsaid.contains("unit must be returned row for a query, said as such"), unsaid);
    assertTrue(unsaid.contains("Provided value: none"), unsaid);
    String person = discreet(2, "", with(train, "--unit", "person", "--one-row-each"));
    assertTrue(person.contains("unit must be returned row for a query"), person);
    String column =
        discreet(2, "", with(train, "--unit", "returned row", "--unit-column", "person"));
    assertTrue(column.contains("unit column must be left out beside a query"), column);
    assertFalse(Files.exists(out));
    discreet(0, "", with(train, "--unit", "returned row", "--declared-units", "1600"));
    for (String each : List.of("run.json", "privacy.txt", "report.html")) {
      String text = Files.readString(out.resolve(each));
      assertTrue(text.contains("returned row"), each);
      assertTrue(text.contains("nothing is promised to a person"), each);
    }
    // The folder, or a run file, tells no database what to do.
    String sent = discreet(2, address, "evaluate --pass-over-account --run " + out);
    assertTrue(sent.contains("query must be given as an option, --query"), sent);
    discreet(
        0,
        address,
        Stream.concat(
                Stream.of(("evaluate --pass-over-account --run " + out).split(" ")), query.stream())
            .toList());
  }

  private static List<String> with(List<String> words, String... more) {
    return Stream.concat(words.stream(), Stream.of(more)).toList();
  }

  @Test
  void aRunFileRunsNoCodeAndCallsNobody() throws IOException, InterruptedException {
    Path sent = folder.resolve("sent.yaml");
    Files.writeString(
        sent, "data: jdbc:postgresql://127.0.0.1:1/db\ntable: t\nlabel: a=0|1\ncolumn: [b=0..1]\n");
    String refused = discreet(2, "", "train --epsilon 1 --pass-over-account " + sent);
    assertTrue(
        refused.contains("sent.yaml, line 1: database of the data must be the one"), refused);
    Files.writeString(sent, "data: digits\ndriver: [evil.jar]\n");
    refused = discreet(2, "", "train --epsilon 1 " + sent);
    assertTrue(refused.contains("sent.yaml, line 2: driver must be given as an option"), refused);
  }

  /** Whether a verb takes such data or not. */
  @Test
  void aPasswordInAnAddressIsNotSaid() throws IOException, InterruptedException {
    String address = "jdbc:h2:mem:x;PASSWORD=" + PASSWORD;
    for (String words :
        List.of(
            "geometry --data " + address,
            "data describe --data " + address,
            "data declare --to columns.yaml --data " + address,
            "query count --epsilon 1 --data " + address,
            "train --epsilon 1 --data digits --public-test " + address,
            "train --epsilon 1 --data digits --pretrain-data " + address)) {
      String said = discreet(2, "", words);
      assertTrue(said.contains("address of a database must be without user"), said);
    }
    String unknown = discreet(2, "", "data describe " + address);
    assertTrue(unknown.contains("unknown argument 'jdbc:…'"), unknown);
  }

  /** What a process says. */
  private static String discreet(int code, String known, String words)
      throws IOException, InterruptedException {
    return discreet(code, known, List.of(words.split(" ")));
  }

  private static String discreet(int code, String known, List<String> words)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("DISCREET_DB_USER", "reader");
    builder.environment().put("DISCREET_DB_PASSWORD", PASSWORD);
    builder.environment().put("DISCREET_DB", known);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(code, process.waitFor(), said);
    assertFalse(said.contains(PASSWORD), said);
    return said;
  }
}
