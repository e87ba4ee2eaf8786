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

  private Map<String, String> told(Path table) throws IOException {
    Path out = Files.createTempDirectory(folder, "run");
    String said =
        run(
            "train --data "
                + table
                + " --label well=false|true --column age=0..100 --unit-column person --unit person"
                + " --declared-units 30 --model logistic --noise-multiplier 1 --clip 1 --delta 1e-5"
                + " --lot-size 8 --steps 3 --quiet --accept-misfits --insecure-seed 7 --out "
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
