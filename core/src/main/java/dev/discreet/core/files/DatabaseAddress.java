package dev.discreet.core.files;

import dev.discreet.accounting.Check;
import java.util.regex.Pattern;

/** Addresses of databases, as JDBC writes them. They stand in messages and records. */
public final class DatabaseAddress {
  private static final String JDBC = "jdbc:";

  /** Users and passwords in an address: as parameters, or before the host. */
  private static final Pattern SECRETS =
      Pattern.compile(
          "(?i)[?&;,(](user|user[-_ ]?name|uid|[a-z]*pwd|[a-z]*(password|passphrase|secret|token))\\s*="
              + "|//[^/?#]*@|^jdbc:[^?#]*[^:?#]@");

  private DatabaseAddress() {}

  /** Whether a text is meant as the address of a database. */
  public static boolean is(String text) {
    return text.startsWith(JDBC);
  }

  /** Refuses an address that tells a user or a password, before it is in any message. */
  public static void refuseSecrets(String address) {
    Check.that(
        !SECRETS.matcher(address).find(),
        "address of a database",
        "without user and password (DISCREET_DB_USER and DISCREET_DB_PASSWORD name them)",
        "one that has them");
  }
}
