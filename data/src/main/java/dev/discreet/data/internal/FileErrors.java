package dev.discreet.data.internal;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Errors of one line that start with the file's name. */
public final class FileErrors {
  private static final int LONGEST_VALUE = 160;

  /** Ends a refusal that one person's row can bring about. */
  public static final String LABEL = " (outside the guarantee, for your eyes).";

  private FileErrors() {}

  public static IOException file(Path path, String what) {
    return file(path.toString(), what);
  }

  public static IOException file(String name, String what) {
    return new IOException(message(name, what));
  }

  /** The same line for other uses, such as why a row does not fit. */
  public static String message(Object name, String what) {
    return Check.line(name + " " + what);
  }

  /** For a sound file that is not what it was said to be: that is wrong usage, not a failure. */
  public static IllegalArgumentException usage(Path path, String what) {
    return usage(path.toString(), what);
  }

  public static IllegalArgumentException usage(String name, String what) {
    return new IllegalArgumentException(Check.line(name + " " + what));
  }

  /** The same error, with a message of our form where the system's is only a name. */
  public static IOException named(Path path, IOException e) {
    if (e instanceof NoSuchFileException) {
      return (IOException) file(path, "does not exist.").initCause(e);
    }
    if (e instanceof AccessDeniedException) {
      return file(path, "must be readable by this user.");
    }
    String message = String.valueOf(e.getMessage());
    return message.startsWith(Check.line(path.toString()))
        ? e
        : new IOException(Check.line(path + " cannot be read: " + message), e);
  }

  /** A cell as an error shows it. */
  public static String quoted(String cell) {
    return cell.isBlank() ? "an empty cell" : '"' + shown(cell) + '"';
  }

  /** A value as an error shows it: short, and unable to start another line. */
  public static String shown(String value) {
    return Check.line(
        value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE - 1) + "…");
  }
}
