package dev.discreet.core.files;

import dev.discreet.accounting.Check;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of databases, as JDBC writes them. They stand in messages and records. */
public final class DatabaseAddress {
  private static final String JDBC = "jdbc:";

  /** A user, and perhaps a password, before the host. */
  private static final Pattern LOGIN = Pattern.compile("//[^/?#]*@|^jdbc:[^?#]*[^:?#]@");

  /** What stands before each equals sign, and what stands where a parameter would, without one. */
  private static final Pattern PARAMETER =
      Pattern.compile("([^?&;,():/@=\\s]*)\\s*=|[?&;]\\s*([^?&;=\\s]+)\\s*(?=[?&;]|$)");

  /**
   * Parameters that hold no secret: hosts, names, switches, and paths of keys and certificates.
   * Every driver calls its secrets by names of its own, so all others are refused.
   */
  private static final Set<String> HARMLESS =
      Set.of(
          """
          host port protocol address address_list description connect_data service_name sid
          server servername portnumber instancename databasename database db catalog schema
          currentschema warehouse role tns_admin mode cache ifexists access_mode_data
          db_close_delay cipher applicationintent targetservertype loadbalancehosts
          hostrecheckseconds load_balance failover multisubnetfailover applicationname
          ssl usessl requiressl sslmode sslrootcert sslcert sslkey sslnegotiation
          sslconnection encrypt trustservercertificate hostnameincertificate
          verifyservercertificate security ssl_server_dn_match ssl_server_cert_dn gssencmode
          channelbinding integratedsecurity
          connecttimeout connect_timeout sockettimeout logintimeout retry_count tcpkeepalive
          preparethreshold defaultrowfetchsize binarytransfer selectmethod servertimezone
          connectiontimezone characterencoding useunicode usecursorfetch tinyint1isbit
          zerodatetimebehavior
          """
              .strip()
              .split("\\s+"));

  private DatabaseAddress() {}

  /** Whether a text is meant as the address of a database. */
  public static boolean is(String text) {
    return text.startsWith(JDBC);
  }

  /**
   * Refuses an address that tells a user or a password, or has a parameter that may, before it is
   * in any message.
   */
  public static void refuseSecrets(String address) {
    boolean found = LOGIN.matcher(address).find();
    Matcher parameter = PARAMETER.matcher(address);
    while (!found && parameter.find()) {
      String name = parameter.group(1);
      found = name == null || !HARMLESS.contains(name.toLowerCase(Locale.ROOT));
    }
    Check.that(
        !found,
        "address of a database",
        "without user and password (DISCREET_DB_USER and DISCREET_DB_PASSWORD name them), and"
            + " without parameters but those that are known to be harmless, such as sslmode",
        "one that has others");
  }
}
