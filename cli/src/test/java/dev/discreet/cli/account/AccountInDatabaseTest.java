package dev.discreet.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line on a real server, with the driver that it brings itself. */
class AccountInDatabaseTest {
  @TempDir private Path folder;

  @Test
  void aTeamKeepsOneAccount() throws IOException, InterruptedException, SQLException {
    Path table = folder.resolve("people.csv");
    Files.writeString(table, "id,income\n1,100\n2,200\n3,300\n");
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
      String place = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres#people";
      String terms = " --epsilon 3 --delta 1e-6 --unit person --one-row-each";
      String opened = discreet(0, "postgres", "account open " + place + terms);
      assertTrue(opened.startsWith("Opened " + place.replace('#', ' ') + "."), opened);
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("create user ana in role discreet_analyst");
      }
      String query = "query count --column income --epsilon 0.3 --data " + table;
      discreet(0, "ana", query + " --account " + place);
      String shown = discreet(0, "ana", "account show " + place);
      assertTrue(shown.contains("ana") && shown.contains("query count"), shown);
      // Whoever has the data finds the account, without being told of it.
      discreet(0, "ana", "account cover " + place + " " + table);
      // But a file does not choose who is asked, and gets the password.
      assertTrue(discreet(2, "ana", query).contains("the one that DISCREET_DB names"));
      known = place.replaceFirst("#.*", "");
      discreet(0, "ana", query);
      String both = discreet(0, "ana", "account show --json " + table);
      assertTrue(both.split("query count", -1).length == 3, both);
      String refused = discreet(2, "ana", "account limit --share 0.5 " + place);
      assertTrue(refused.contains("role must be discreet_owner"), refused);
    }
  }

  // The database that the environment names; null for none.
  private String known;

  /** What a process says, whose user and password are in its environment alone. */
  private String discreet(int code, String user, String words)
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
    command.addAll(List.of(words.split(" ")));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("DISCREET_DB_USER", user);
    builder.environment().put("DISCREET_DB_PASSWORD", "not-to-be-said");
    if (known != null) {
      builder.environment().put("DISCREET_DB", known);
    }
    Process process = builder.start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .replaceFirst("^WARNING: Using incubator modules: jdk.incubator.vector\n", "");
    assertEquals(code, process.waitFor(), said);
    assertTrue(!said.contains("not-to-be-said"), said);
    return said;
  }
}
