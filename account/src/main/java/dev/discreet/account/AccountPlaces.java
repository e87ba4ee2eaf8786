package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
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
      return new AccountFile(Path.of(place.endsWith(SUFFIX) ? place : place + SUFFIX));
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

  private static void set(Properties login, String name, String value) {
    if (value != null) {
      login.setProperty(name, value);
    }
  }
}
