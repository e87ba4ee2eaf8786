package dev.discreet.cli.console;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.JsonNumbers;
import java.io.IOException;

/** One JSON value as text: maps, lists, strings and numbers, these in full precision. */
public final class Json {
  private Json() {}

  /** An infinite number becomes the string "Infinity": Jackson's default, and our promise. */
  public static String text(Object value) throws IOException {
    return JsonNumbers.SHORTEST.asString(value);
  }

  /** The same, with fields that are null. */
  public static String textWithNulls(Object value) throws IOException {
    return JsonNumbers.SHORTEST.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(value);
  }
}
