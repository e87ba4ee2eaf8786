package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command knows nothing of this module, which it finds. */
class ParquetCommandTest {
  @TempDir private Path folder;

  private static String run(String words) {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said);
    assertEquals(0, Main.run(words.split(" "), to, to), said::toString);
    return said.toString();
  }

  @Test
  void parquetIsTrainedOnAndAsked() throws SQLException {
    Path table = folder.resolve("people.parquet");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "copy (select i as id, 'p' || i % 100 as person, i % 90 as age, i % 2 = 0 as well from"
              + " range(500) t(i)) to '"
              + table
              + "' (format parquet)");
    }
    Path out = folder.resolve("run");
    run(
        "train --data "
            + table
            + " --label well=false|true --column age=0..100 --unit-column person --unit person"
            + " --model logistic --epsilon 1 --steps 3 --quiet --out "
            + out);
    assertTrue(Files.exists(out.resolve("model.safetensors")));
    run("evaluate --run " + out);
    assertTrue(
        run("predict --run " + out + " --data " + table).startsWith("row,class,"), "predictions");
    String asked = run("query mean --data " + table + " --column age --bounds 0..100 --epsilon 1");
    assertTrue(asked.contains("mean"), asked);
  }

  /**
   * What a run tells of a Parquet file is to the byte what it tells of the same table as text,
   * which MarkedDataTest searches. Among the rows are some that do not fit.
   */
  @Test
  void noMoreIsToldThanOfText() throws IOException, SQLException {
    StringBuilder rows = new StringBuilder("person,age,well\n");
    for (int i = 0; i < 60; i++) {
      String age = i % 17 == 5 ? "" : i % 19 == 3 ? "many" : "" + i % 90;
      rows.append("p%d,%s,%s%n".formatted(i / 2, age, i % 11 == 7 ? "perhaps" : i % 2 == 0));
    }
    Path text = Files.writeString(folder.resolve("people.csv"), rows);
    Path parquet = folder.resolve("people.parquet");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "copy (select * from read_csv('%s', all_varchar = true)) to '%s' (format parquet)"
              .formatted(text, parquet));
    }
    Map<String, String> ofText = told(text);
    Map<String, String> ofParquet = told(parquet);
    assertEquals(ofText.keySet(), ofParquet.keySet());
    ofText.forEach((name, told) -> assertEquals(told, ofParquet.get(name), name));
  }

  private void write(String rows, Path to) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("copy (%s) to '%s' (format parquet)".formatted(rows, to));
    }
  }

  private static String refused(String words) {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said);
    assertTrue(Main.run(words.split(" "), to, to) != 0, words);
    return said.toString();
  }

  /** Whose rows stand beside is found as for the data, and the run file makes the run again. */
  @Test
  void joinedFilesAreTrainedOnAndPaidFor() throws IOException, SQLException {
    Path people = folder.resolve("people.parquet");
    Path visits = folder.resolve("visits.parquet");
    Path wards = folder.resolve("wards.parquet");
    write("select 'p' || i as person, i % 90 as age, i % 3 as ward from range(90) t(i)", people);
    write("select 'p' || i % 100 as person, i % 2 = 0 as well from range(300) t(i)", visits);
    write("select i as ward, 10 * i as beds from range(3) t(i)", wards);
    String declared =
        " --label well=false|true --column age=0..100 --column beds=0..100 --unit-column person"
            + " --unit person --model logistic --noise-multiplier 4 --clip 1 --delta 1e-6"
            + " --lot-size 20 --steps 3 --quiet";
    // The words of a join are one argument.
    List<String> joined =
        List.of(
            "--data",
            people.toString(),
            "--join",
            visits + " on person",
            "--join",
            wards + " on ward, public");
    String unnumbered = " --out " + folder.resolve("none");
    assertTrue(said(1, joined, declared + unnumbered).contains("--declared-units"));
    String options = declared + " --declared-units 90 --insecure-seed 7 --out ";
    Path first = folder.resolve("first");
    said(0, joined, options + first);
    Path again = folder.resolve("again");
    run("train " + first.resolve("run.yaml") + " --quiet --out " + again);
    assertEquals(
        -1, Files.mismatch(first.resolve("model.safetensors"), again.resolve("model.safetensors")));
    assertTrue(Files.readString(first.resolve("run.json")).contains("a unit is all that both"));

    // The same rows in one table, in the order of what they hold.
    Path csv = folder.resolve("joined.csv");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "copy (select * from '%s' join '%s' using (person) join '%s' using (ward) order by person,"
                  .formatted(people, visits, wards)
              + " well) to '"
              + csv
              + "' (format csv)");
    }
    Path byHand = folder.resolve("by-hand");
    run("train --data " + csv + options + byHand);
    assertEquals(
        -1,
        Files.mismatch(first.resolve("model.safetensors"), byHand.resolve("model.safetensors")));

    String opened = " --epsilon 8 --delta 1e-6 --unit person --unit-column person";
    run("account open " + visits + opened);
    String paid = declared + " --declared-units 90 --out ";
    said(0, joined, paid + folder.resolve("paid"));
    assertTrue(run("account show " + visits).contains("train"), "the account was charged");
    assertTrue(Files.readString(folder.resolve("paid/run.json")).contains("\"account\""));
    assertTrue(refused("evaluate --run " + folder.resolve("paid")).contains("--pass-over-account"));
    run("account open " + people + opened);
    assertTrue(said(1, joined, paid + folder.resolve("two")).contains("must be one alone"));
    Files.delete(folder.resolve("people.parquet.account"));
    Files.deleteIfExists(folder.resolve("people.parquet.account.head"));
    run("account open " + wards + opened.replace("--unit-column person", "--unit-column ward"));
    assertTrue(
        said(1, joined, paid + folder.resolve("three")).contains("public rows, which no account"));
  }

  private static String said(int code, List<String> joined, String more) {
    List<String> words = new ArrayList<>(List.of("train"));
    words.addAll(joined);
    words.addAll(List.of(more.strip().split(" ")));
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said);
    int found = Main.run(words.toArray(new String[0]), to, to);
    assertEquals(code == 0, found == 0, said::toString);
    return said.toString();
  }

  /** Nor of joined files, where a person more has rows in both and none that can be used. */
  @Test
  void noRowOfJoinedFilesIsTold() throws IOException, SQLException {
    Path people = folder.resolve("people.parquet");
    Path visits = folder.resolve("visits.parquet");
    List<String> data = List.of("--data", people.toString(), "--join", visits + " on person");
    String each = "select 'p' || i as person, ";
    write(each + "i % 90 as age from range(30) t(i)", people);
    write(
        each + "case when i % 2 = 0 then 'true' else 'false' end as well from range(30) t(i)",
        visits);
    Map<String, String> without = told(people, data, "--sampler full-batch");
    write(each + "case when i < 30 then i % 90 end as age from range(31) t(i)", people);
    write(
        each
            + "case when i >= 30 then 'perhaps' when i % 2 = 0 then 'true' else 'false' end as well"
            + " from range(31) t(i)",
        visits);
    Map<String, String> with = told(people, data, "--sampler full-batch");
    assertEquals(without.keySet(), with.keySet());
    without.forEach((name, told) -> assertEquals(told, with.get(name), name));
    assertTrue(without.values().stream().noneMatch(told -> told.contains("perhaps")));
  }

  private Map<String, String> told(Path table) throws IOException {
    return told(table, List.of("--data", table.toString()), "--lot-size 8");
  }

  private Map<String, String> told(Path table, List<String> data, String lots) throws IOException {
    Path out = Files.createTempDirectory(folder, "run");
    String said =
        said(
            0,
            data,
            "--label well=false|true --column age=0..100 --unit-column person --unit person"
                + " --declared-units 30 --model logistic --noise-multiplier 1 --clip 1 --delta 1e-5"
                + " --steps 3 --quiet --accept-misfits --insecure-seed 7 "
                + lots
                + " --out "
                + out);
    Map<String, String> all = new TreeMap<>();
    // What does not fit is the operator's to see, and says so.
    all.put("console", said.replaceAll("(?m)^(time|memory|discreet train:) .*\\R", ""));
    try (Stream<Path> files = Files.walk(out)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        all.put(
            out.relativize(each).toString(), Files.readString(each, StandardCharsets.ISO_8859_1));
      }
    }
    all.replaceAll(
        (name, of) ->
            of.replace(table.toString(), "TABLE")
                .replace(table.getFileName().toString(), "TABLE")
                .replace(out.toString(), "OUT"));
    return all;
  }
}
