package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/**
 * An account in a PostgreSQL database, for a team. Lines are appended by a function of the
 * database's, which keeps the chain, and which lets a role do no more than it may: analysts reserve
 * and settle; owners also set limits, import and close. Nobody can change or remove a line.
 *
 * <p>A connection lasts as long as one call, so a server that was away between two calls is not
 * missed.
 *
 * <pre>{@code
 * AccountStore store =
 *     new AccountDatabase("jdbc:postgresql://db/research", new Properties(), "patients");
 * }</pre>
 *
 * @param url of the database, as JDBC names it, without user and password
 * @param login {@code user}, {@code password} and other properties of the driver's
 * @param name of the account in the database
 */
@PublicApi
public record AccountDatabase(String url, Properties login, String name) implements AccountStore {

  /**
   * Refuses what cannot be the name of an account.
   *
   * @param url of the database
   * @param login properties of the driver's
   * @param name on one line
   */
  public AccountDatabase {
    Check.that(!name.isBlank() && Check.oneLine(name), "account", "a name on one line", name);
  }

  /** Makes the tables, the function and the roles, where they are not there yet. */
  public void createSchema() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        InputStream script = AccountDatabase.class.getResourceAsStream("account.sql")) {
      statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    } catch (SQLException e) {
      throw failed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> after(long known) {
    try (Connection connection = connect()) {
      return after(connection, known);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private List<String> after(Connection connection, long known) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "select line from discreet_account where account = ? and number >= ?"
                + " order by number")) {
      query.setString(1, name);
      query.setLong(2, known);
      List<String> lines = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          lines.add(rows.getString(1));
        }
      }
      return lines;
    }
  }

  @Override
  public void append(long known, Function<List<String>, Optional<String>> next) {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      try (PreparedStatement lock =
          connection.prepareStatement("select pg_advisory_xact_lock(hashtext(?), 1)")) {
        lock.setString(1, name);
        lock.execute();
      }
      List<String> news = after(connection, known);
      Optional<String> line = next.apply(news);
      if (line.isPresent()) {
        try (PreparedStatement append =
            connection.prepareStatement("select discreet_append(?, ?, ?)")) {
          append.setString(1, name);
          append.setLong(2, known + news.size());
          append.setString(3, line.get());
          append.execute();
        }
      }
      connection.commit();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, login);
  }

  /** What the database refuses is a refusal; anything else is a failure. */
  private RuntimeException failed(SQLException e) {
    String message = e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
    return "P0001".equals(e.getSQLState()) || "42501".equals(e.getSQLState())
        ? new IllegalArgumentException(
            message.replaceFirst("^ERROR: ", "") + " (account " + place() + ")", e)
        : new UncheckedIOException(
            new IOException("account " + place() + " cannot be reached: " + message, e));
  }

  @Override
  public String place() {
    return url + " " + name;
  }

  /**
   * Without the password.
   *
   * @return where it is
   */
  @Override
  public String toString() {
    return place();
  }
}
