package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Finds an account by what people call its place: a file, the table beside which it lies, or a
 * database.
 *
 * <pre>{@code
 * AccountStore beside = AccountPlaces.of("patients.csv"); // patients.csv.account
 * AccountStore shared = AccountPlaces.of("jdbc:postgresql://db/research#patients");
 * }</pre>
 */
@PublicApi
public final class AccountPlaces {
  /** How the names of accounts in files end. */
  public static final String SUFFIX = ".account";

  private static final String JDBC = "jdbc:";

  private AccountPlaces() {}

  /**
   * The store at a place. Users and passwords of databases come from the environment ({@code
   * DISCREET_DB_USER}, {@code DISCREET_DB_PASSWORD}), never from the place.
   *
   * @param place an account's file, a table's, or a JDBC address with the account's name after #
   * @return the store, whether something is kept there or not
   */
  public static AccountStore of(String place) {
    if (!place.startsWith(JDBC)) {
      return new AccountFile(place.endsWith(SUFFIX) ? Path.of(place) : beside(Path.of(place)));
    }
    AccountDatabase.refuseSecrets(place);
    int at = place.lastIndexOf('#');
    Check.that(
        at > 0 && at < place.length() - 1,
        "account in a database",
        "an address with # and a name, as in jdbc:postgresql://host/database#patients",
        place);
    Properties login = new Properties();
    set(login, "user", System.getenv("DISCREET_DB_USER"));
    set(login, "password", System.getenv("DISCREET_DB_PASSWORD"));
    return new AccountDatabase(place.substring(0, at), login, place.substring(at + 1));
  }

  /**
   * The file of the account of a table or folder. That of a link is beside what it leads to, unless
   * there is one beside the link itself.
   *
   * @param data a table or folder, there or not
   */
  static Path beside(Path data) {
    Path given = sibling(data);
    try {
      return Files.exists(data) && Files.notExists(given) ? sibling(data.toRealPath()) : given;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path sibling(Path data) {
    Path name = data.getFileName();
    Path whole =
        name == null || name.toString().matches("|\\.|\\.\\.")
            ? data.toAbsolutePath().normalize()
            : data;
    Check.that(whole.getFileName() != null, "place of an account", "a file or folder", data);
    return whole.resolveSibling(whole.getFileName() + SUFFIX);
  }

  /** A store's place as the account of another one names it: files by their relative paths. */
  static String seenFrom(AccountStore from, AccountStore to) {
    if (!(to instanceof AccountFile file)) {
      AccountDatabase database = (AccountDatabase) to;
      return database.url() + "#" + database.name();
    }
    Path path = file.path().toAbsolutePath().normalize();
    return (from instanceof AccountFile own
            ? own.path().toAbsolutePath().normalize().getParent().relativize(path)
            : path)
        .toString();
  }

  /** The store that {@link #seenFrom} named. */
  static AccountStore from(AccountStore from, String place) {
    return from instanceof AccountFile own && !place.startsWith(JDBC)
        ? new AccountFile(own.path().toAbsolutePath().normalize().resolveSibling(place))
        : of(place);
  }

  private static void set(Properties login, String name, String value) {
    if (value != null) {
      login.setProperty(name, value);
    }
  }
}
