package dev.discreet.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OneLineErrorsTest {
  private static String told(String message) {
    StringWriter text = new StringWriter();
    PrintWriter err = new PrintWriter(text);
    new OneLineErrors(err, () -> false).failed("x", new java.io.IOException(message));
    return text.toString().strip();
  }

  @Test
  void linesBecomeOne() {
    assertEquals("x: a b c", told("a  \r\n\n  b\nc\n"));
  }

  /** A message may hold a name from a stranger's file. */
  @Test
  void blanksAreReadOnce() {
    String blanks = " ".repeat(200_000);
    String told = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> told("a" + blanks + "b"));
    assertEquals("x: a" + blanks + "b", told);
  }
}
