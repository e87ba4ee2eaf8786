package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run of the command inside this process. */
public record Run(int code, String out, String err) {
  static {
    // What a slow machine says while it plans is no part of what a test expects.
    System.setProperty("discreet.patience", "1000000");
  }

  /** Arguments separated by blanks. */
  public static Run of(String arguments) {
    return of(arguments.isBlank() ? new String[0] : arguments.strip().split("\\s+"));
  }

  public static Run of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(arguments, new PrintWriter(out), new PrintWriter(err));
    return new Run(code, out.toString(), err.toString());
  }

  /** Asserts that the run is done, and said nothing on standard error. */
  public Run done() {
    // That a promise is weak, or a declared number far off, is said before anything is spent.
    assertEquals(
        "", err.replaceAll("(?m)^(WEAK: |discreet train: .* the public number is ).*\\R", ""));
    assertEquals(0, code, out);
    return this;
  }

  /** The one line of a run that must have failed with {@code expected} and printed no result. */
  public String line(int expected) {
    assertEquals(expected, code, err + out);
    assertEquals("", out);
    assertEquals(1, err.lines().count(), err);
    return err.strip();
  }

  public Map<String, Object> object() {
    Map<String, Object> fields = new LinkedHashMap<>();
    ((Map<?, ?>) json()).forEach((key, value) -> fields.put((String) key, value));
    return fields;
  }

  public List<?> array() {
    return (List<?>) json();
  }

  public double number(String field) {
    return ((Number) object().get(field)).doubleValue();
  }

  /** Standard out as JSON: exactly one value, and nothing after it. */
  private Object json() {
    done();
    try (JsonParser parser = JSON.std.createParser(out)) {
      Object value = JSON.std.anyFrom(parser);
      assertEquals(null, parser.nextToken(), "more than one JSON value: " + out);
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(out, e);
    }
  }
}
