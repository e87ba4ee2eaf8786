package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Who reads a database: what a file says that DISCREET_DATA_LOGIN names, or else DISCREET_DB_USER
 * and DISCREET_DB_PASSWORD. The file may have whatever else a driver is to know. No setting holds a
 * user, a password or another secret.
 */
final class DatabaseLogin {
  private DatabaseLogin() {}

  static Properties of(UnaryOperator<String> environment) throws IOException {
    Properties login = new Properties();
    String file = environment.apply("DISCREET_DATA_LOGIN");
    if (file != null && !file.isBlank()) {
      read(Path.of(file), login);
      return login;
    }
    set(login, "user", environment.apply("DISCREET_DB_USER"));
    set(login, "password", environment.apply("DISCREET_DB_PASSWORD"));
    return login;
  }

  /** What a database says, without whom it says it to. */
  static String hidden(Properties login, String text) {
    String shown = text;
    for (String each : login.stringPropertyNames()) {
      String value = login.getProperty(each);
      if (!value.isEmpty()) {
        shown = shown.replaceAll("(?<!\\w)" + Pattern.quote(value) + "(?!\\w)", "…");
      }
    }
    return shown;
  }

  private static void set(Properties login, String name, String value) {
    if (value != null) {
      login.setProperty(name, value);
    }
  }

  private static void read(Path file, Properties to) throws IOException {
    Check.that(Files.isRegularFile(file), "DISCREET_DATA_LOGIN", "a file that exists", file);
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      Check.that(
          !permissions.contains(PosixFilePermission.OTHERS_READ)
              && !permissions.contains(PosixFilePermission.GROUP_READ),
          "file that DISCREET_DATA_LOGIN names",
          "one that only its owner may read (chmod 600)",
          file);
    }
    try (Reader in = Files.newBufferedReader(file)) {
      to.load(in);
    } catch (IllegalArgumentException e) {
      // Not its message: that may have a part of the password.
      throw new IllegalArgumentException(
          "file that DISCREET_DATA_LOGIN names must have lines such as user=ana. Provided value: "
              + file);
    }
  }
}
