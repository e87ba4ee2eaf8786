package dev.discreet.core.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.JsonNumbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** The fields of a JSON object, asked for by name and type; what is not so is refused by name. */
public record JsonFields(String owner, Map<?, ?> map) {

  public static JsonFields parse(String owner, String json) {
    try (JsonParser parser = JsonNumbers.SHORTEST.createParser(json)) {
      Object value = JsonNumbers.SHORTEST.anyFrom(parser);
      Check.that(parser.nextToken() == null, owner, "one JSON value", "another after the first");
      return of(owner, value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          Check.line(owner + " must be JSON. Provided value: " + reason(e)), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a parser says of a text that is not JSON, in one line. */
  static String reason(JacksonException e) {
    return String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("nothing");
  }

  public static JsonFields of(String owner, Object value) {
    Check.that(value instanceof Map, owner, "a JSON object", value);
    return new JsonFields(owner, (Map<?, ?>) value);
  }

  public static String write(Map<String, Object> fields) {
    try {
      return JsonNumbers.SHORTEST.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** JSON has no infinity: the string "Infinity" stands for it. */
  public static Object number(double value) {
    return Double.isFinite(value) ? (Object) value : Digits.shortest(value);
  }

  public Object get(String name) {
    Object value = map.get(name);
    if (value == null) {
      Check.that(map.containsKey(name), "field " + name + " of " + owner, "given", "none");
    }
    return value;
  }

  public String text(String name) {
    Object value = get(name);
    Check.that(value instanceof String, name + " of " + owner, "a string", value);
    return (String) value;
  }

  public boolean truth(String name) {
    Object value = get(name);
    Check.that(value instanceof Boolean, name + " of " + owner, "true or false", value);
    return (Boolean) value;
  }

  public long whole(String name) {
    Object value = get(name);
    Check.that(
        value instanceof Integer || value instanceof Long,
        name + " of " + owner,
        "a whole number",
        value);
    return ((Number) value).longValue();
  }

  /** A whole number that is no less than 0 and that an int holds. */
  public int count(String name) {
    long value = whole(name);
    Check.that(
        value >= 0 && value <= Integer.MAX_VALUE, name + " of " + owner, "in [0, 2^31)", value);
    return (int) value;
  }

  public double number(String name) {
    Object value = get(name);
    Check.that(value instanceof Number, name + " of " + owner, "a number", value);
    return ((Number) value).doubleValue();
  }

  /** A number as {@link #number(double)} writes it: also one that is not finite. */
  public double real(String name) {
    if (!(get(name) instanceof String text)) {
      return number(name);
    }
    Check.that(text.matches("-?Infinity|NaN"), name + " of " + owner, "a number", text);
    return Double.parseDouble(text);
  }

  public List<?> list(String name) {
    Object value = get(name);
    Check.that(value instanceof List, name + " of " + owner, "a list", value);
    return (List<?>) value;
  }

  public double[] numbers(String name) {
    return list(name).stream()
        .mapToDouble(
            value -> {
              Check.that(value instanceof Number, name + " of " + owner, "numbers", value);
              return ((Number) value).doubleValue();
            })
        .toArray();
  }

  public int[] smalls(String name) {
    return list(name).stream()
        .mapToInt(
            value -> {
              Check.that(value instanceof Integer, name + " of " + owner, "whole numbers", value);
              return (Integer) value;
            })
        .toArray();
  }
}
