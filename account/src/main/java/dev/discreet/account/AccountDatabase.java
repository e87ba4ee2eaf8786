package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.DatabaseAddress;
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
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/**
 * An account in a PostgreSQL database, for a team. Lines are appended by a function in the
 * database, which keeps the chain, and which lets a role do no more than it may: analysts reserve,
 * and settle their own runs; owners also set limits, import and close. Neither can change or remove
 * a line.
 *
 * <p>A connection lasts as long as one call, so a server that was away between two calls is not
 * missed. A connection that is lost while a line is appended leaves open whether the line is there:
 * then the account is read again.
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
  private static final String NO_PERMISSION = "42501";

  /** What the function of the database raises. */
  private static final String REFUSED = "P0001";

  /** Whether who asks made the table, and whether one whom owners can trust did. */
  private static final String MAKER =
      "select pg_get_userbyid(relowner) = current_user, exists (select from pg_roles"
          + " where rolname = 'discreet_owner' and pg_has_role(relowner, oid, 'member'))"
          + " from pg_class where oid = to_regclass('public.discreet_account')";

  /** Seconds after which a server that does not answer is one that cannot be reached. */
  private static final Map<String, String> PATIENCE =
      Map.of("connectTimeout", "10", "socketTimeout", "60");

  /**
   * Refuses what is no address of PostgreSQL, and one that tells a password, which would end up in
   * messages and records.
   *
   * @param url of the database
   * @param login properties of the driver's
   * @param name on one line
   */
  public AccountDatabase {
    DatabaseAddress.refuseSecrets(url);
    Check.that(
        url.startsWith("jdbc:postgresql:"),
        "address of a database",
        "one of PostgreSQL, as in jdbc:postgresql://host/database",
        url);
    Check.that(!name.isBlank() && Check.oneLine(name), "account", "a name on one line", name);
  }

  /**
   * Makes the table, the functions and the roles, or brings those up to date that the same role
   * made before.
   */
  public void createSchema() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        InputStream script = AccountDatabase.class.getResourceAsStream("account.sql")) {
      try (ResultSet maker = statement.executeQuery(MAKER)) {
        if (maker.next() && !maker.getBoolean(1)) {
          Check.that(
              maker.getBoolean(2),
              "table discreet_account of " + url,
              "one that a member of discreet_owner made",
              "another's");
          return;
        }
      }
      statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    } catch (SQLException e) {
      if (NO_PERMISSION.equals(e.getSQLState())) {
        throw new IllegalArgumentException(
            "who opens the first account of a database must be allowed to create tables and roles"
                + " in it. Provided value: "
                + user()
                + " ("
                + firstLine(e)
                + ")",
            e);
      }
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
            "select line from public.discreet_account where account = ? and number >= ?"
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
    String[] sent = {null};
    try (Connection connection = connect()) {
      List<String> news = afterLocked(connection, known);
      Optional<String> line = next.apply(news);
      if (line.isPresent()) {
        try (PreparedStatement append =
            connection.prepareStatement("select public.discreet_append(?, ?, ?)")) {
          append.setString(1, name);
          append.setLong(2, known + news.size());
          append.setString(3, line.get());
          sent[0] = line.get();
          append.execute();
        }
      }
      connection.commit();
    } catch (SQLException e) {
      if (sent[0] == null || !isThere(known, sent[0], e)) {
        throw failed(e);
      }
    }
  }

  /**
   * Begins a transaction that nobody else can append in, and reads. Whatever the server does by
   * default, it must see what others committed while it waited for the lock.
   */
  private List<String> afterLocked(Connection connection, long known) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        PreparedStatement lock =
            connection.prepareStatement("select pg_advisory_xact_lock(hashtext(?), 1)")) {
      statement.execute(
          "set transaction isolation level read committed; set local lock_timeout = '30s'");
      lock.setString(1, name);
      lock.execute();
    }
    return after(connection, known);
  }

  /**
   * Whether a line arrived though the connection was lost. The lock waits for the transaction that
   * may still be appending it.
   */
  private boolean isThere(long known, String line, SQLException loss) {
    try (Connection connection = connect()) {
      return afterLocked(connection, known).contains(line);
    } catch (SQLException e) {
      loss.addSuppressed(e);
      return false;
    }
  }

  private Connection connect() throws SQLException {
    Properties all = new Properties();
    all.putAll(PATIENCE);
    all.putAll(login);
    return DriverManager.getConnection(url, all);
  }

  /** What the database refuses is a refusal; anything else is a failure. */
  private RuntimeException failed(SQLException e) {
    return REFUSED.equals(e.getSQLState()) || NO_PERMISSION.equals(e.getSQLState())
        ? new IllegalArgumentException(firstLine(e) + " (account " + place() + ")", e)
        : new UncheckedIOException(
            new IOException("account " + place() + " cannot be reached: " + firstLine(e), e));
  }

  private static String firstLine(SQLException e) {
    String message = e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
    return message.replaceFirst("^ERROR: ", "");
  }

  @Override
  public String user() {
    return login.getProperty("user", AccountStore.super.user());
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
