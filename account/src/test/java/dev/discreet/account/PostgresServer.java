package dev.discreet.account;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * A real server, with the schema of accounts and a few people: {@code olga} owns, {@code ana} and
 * {@code bob} are analysts, {@code nobody_special} is neither. The tests of one JVM share it.
 */
final class PostgresServer {
  private static EmbeddedPostgres shared;

  private PostgresServer() {}

  /** The address of the shared server's database. */
  static synchronized String url() {
    if (shared == null) {
      try {
        shared = EmbeddedPostgres.builder().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      prepare(url(shared.getPort()));
    }
    return url(shared.getPort());
  }

  static String url(int port) {
    return "jdbc:postgresql://localhost:" + port + "/postgres";
  }

  /** Makes the schema and the people. */
  static void prepare(String url) {
    as(url, "postgres", "schema").createSchema();
    execute(
        url,
        "postgres",
        "create user ana in role discreet_analyst",
        "create user bob in role discreet_analyst",
        "create user olga in role discreet_owner",
        "create user nobody_special");
  }

  static AccountDatabase as(String user, String account) {
    return as(url(), user, account);
  }

  static AccountDatabase as(String url, String user, String account) {
    return new AccountDatabase(url, login(user), account);
  }

  static Properties login(String user) {
    Properties login = new Properties();
    login.setProperty("user", user);
    return login;
  }

  static void execute(String url, String user, String... statements) {
    try (Connection connection = DriverManager.getConnection(url, login(user));
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
