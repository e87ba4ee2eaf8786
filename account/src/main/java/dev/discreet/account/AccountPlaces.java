package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.files.DurableLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
  // Of an address of a database, in bytes.
  private static final int LONGEST = 1000;

  private AccountPlaces() {}

  /**
   * The store at a place. Users and passwords of databases come from the environment ({@code
   * DISCREET_DB_USER}, {@code DISCREET_DB_PASSWORD}), never from the place. Where a file leads to a
   * database, that is asked only if {@code DISCREET_DB} is its address: otherwise whoever can write
   * such a file would choose whom this machine calls, and who gets the password.
   *
   * @param place an account's file, a table's, or a JDBC address with the account's name after #
   * @return the store, whether something is kept there or not
   */
  public static AccountStore of(String place) {
    if (!place.startsWith(JDBC)) {
      Path file = place.endsWith(SUFFIX) ? Path.of(place) : beside(Path.of(place));
      return signpost(file)
          .map(address -> database(believed(file.toString(), address)))
          .orElseGet(() -> new AccountFile(file));
    }
    return database(place);
  }

  /**
   * The store at a place that a file names, such as a run file that somebody sent. A database is
   * asked only if {@code DISCREET_DB} is its address.
   *
   * @param source the file, as a refusal names it
   * @param place as in {@link #of}
   * @return the store, whether something is kept there or not
   */
  public static AccountStore namedIn(String source, String place) {
    return of(place.startsWith(JDBC) ? believed(source, place) : place);
  }

  private static String believed(String source, String address) {
    return believed(source, address, System.getenv("DISCREET_DB"));
  }

  /**
   * @param known the only database that a file may lead to; null for none
   */
  static String believed(String source, String address, String known) {
    DatabaseAddress.refuseSecrets(address);
    // Cut where the address is cut later: a driver takes what stands before that as its own.
    int at = address.lastIndexOf('#');
    Check.that(
        known != null && at > 0 && address.substring(0, at).equals(known),
        "database that " + source + " leads to",
        "the one that DISCREET_DB names, or it is not asked",
        address);
    return address;
  }

  private static AccountStore database(String place) {
    DatabaseAddress.refuseSecrets(place);
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

  /**
   * Where the account of some data is kept, if what lies beside them says no more than that: so an
   * account in a database is found by those who have the data. Where everyone may write it is not
   * believed, for it decides to whom a password is sent.
   */
  private static Optional<String> signpost(Path file) {
    try {
      // An account is not opened here: to close it again would take away a lock on it.
      if (!Files.isRegularFile(file)
          || Files.size(file) > LONGEST
          || DurableLines.begins(file, "{")) {
        return Optional.empty();
      }
      String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      return text.startsWith(JDBC)
              && !CoveringAccounts.isEveryones(file.toAbsolutePath().getParent())
          ? Optional.of(text)
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts up a signpost beside data that says where their account is. */
  static void setSignpost(Path data, AccountDatabase to) {
    String text = to.url() + "#" + to.name();
    try {
      Check.that(Files.exists(data), "data that an account covers", "there", data);
      Path file = sibling(data.toRealPath());
      Check.that(
          !CoveringAccounts.isEveryones(file.getParent()),
          "folder of data that an account covers",
          "one that not everyone may write to",
          file.getParent());
      Check.that(
          Files.notExists(file) || signpost(file).equals(Optional.of(text)),
          "what lies beside data that an account covers",
          "no other account",
          file);
      Files.writeString(file, text + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    if (from instanceof AccountDatabase own && place.startsWith(own.url() + "#")) {
      return new AccountDatabase(own.url(), own.login(), place.substring(own.url().length() + 1));
    }
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
