package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One run of the command inside this process. */
public record Command(int code, String out, String err) {
  /** What was given, and then more. */
  public static Command of(List<String> arguments, String... more) {
    List<String> all = new ArrayList<>(arguments);
    Collections.addAll(all, more);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    System.setProperty("discreet.patience", "1000000");
    int code = Main.run(all.toArray(String[]::new), new PrintWriter(out), new PrintWriter(err));
    return new Command(code, out.toString(), err.toString());
  }

  /** Asserts that it did what it was told. */
  public Command done() {
    assertEquals(0, code, err + out);
    return this;
  }

  /** The one line of a run that must have been refused with this code, and printed no result. */
  public String refused(int expected) {
    assertEquals(expected, code, err + out);
    assertEquals("", out);
    assertEquals(1, err.lines().count(), err);
    return err.strip();
  }
}
