package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.function.Executable;

/** What a refusal says, in one line. */
final class Refused {
  private Refused() {}

  static String by(Executable work) {
    Exception refused = assertThrows(Exception.class, work);
    assertTrue(
        refused instanceof IllegalArgumentException || refused instanceof UncheckedIOException,
        refused::toString);
    assertTrue(refused.getMessage().lines().count() == 1, refused::getMessage);
    return refused.getMessage();
  }
}
