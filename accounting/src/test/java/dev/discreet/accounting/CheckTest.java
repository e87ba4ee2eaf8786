package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTest {
  private static String refusal(Object value) {
    return assertThrows(
            IllegalArgumentException.class, () -> Check.that(false, "name", "right", value))
        .getMessage();
  }

  /** A value may come from a stranger's file, and a message goes to terminals and logs. */
  @Test
  void aValueStartsNoLineAndSteersNoTerminal() {
    assertEquals("name must be right. Provided value: a?b?[2J?", refusal("a\nb\u001b[2J\u2028"));
    assertEquals("name must be right. Provided value: [a?]", refusal(List.of("a\r")));
    // Written backwards, without a trace, and a tag that is not shown at all.
    assertEquals("a?b?", Check.line("a\u202eb\udb40\udc01"));
    assertEquals("as it is", Check.line("as it is"));
    assertEquals("می\u200cروم", Check.line("می\u200cروم"));
    assertTrue(
        Check.oneLine(
            assertThrows(IllegalArgumentException.class, () -> Neighbouring.of("add\nremove"))
                .getMessage()));
  }

  @Test
  void aLongValueIsCut() {
    String long10k = "x".repeat(10_000);
    assertTrue(refusal(long10k).length() < 1100);
    assertTrue(refusal(long10k).endsWith("x…"));
    String name =
        assertThrows(IllegalArgumentException.class, () -> Check.that(false, long10k, "right", 1))
            .getMessage();
    assertTrue(name.length() < 1100, name);
  }
}
