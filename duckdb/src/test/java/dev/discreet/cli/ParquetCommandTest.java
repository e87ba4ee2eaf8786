package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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
}
