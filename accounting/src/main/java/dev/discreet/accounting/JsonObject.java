package dev.discreet.accounting;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The fields of one JSON object, asked for by name and type. */
public final class JsonObject {
  private final Map<?, ?> map;
  private final String owner;

  public JsonObject(Object value, String owner, Set<String> allowed) {
    Check.that(value instanceof Map, owner, "a JSON object", value);
    this.map = (Map<?, ?>) value;
    this.owner = owner;
    if (allowed != null) {
      for (Object key : map.keySet()) {
        // Accounts have very many objects, so a text is made only for a refusal.
        if (!allowed.contains(key)) {
          Check.that(false, owner + " field", "one of " + allowed, key);
        }
      }
    }
  }

  public JsonObject only(String... names) {
    Set<String> allowed = new TreeSet<>(List.of(names));
    allowed.add("type");
    return new JsonObject(map, owner, allowed);
  }

  public boolean has(String name) {
    return map.containsKey(name);
  }

  public Object get(String name) {
    Object value = map.get(name);
    if (value == null) {
      Check.that(has(name), owner + " field " + name, "given", "none");
    }
    return value;
  }

  public String text(String name) {
    Object value = get(name);
    Check.that(value instanceof String, name, "a string", value);
    return (String) value;
  }

  public double number(String name) {
    return number(name, get(name));
  }

  private static double number(String name, Object value) {
    if ("Infinity".equals(value)) {
      return Double.POSITIVE_INFINITY;
    }
    Check.that(value instanceof Number, name, "a number", value);
    double number = ((Number) value).doubleValue();
    Check.that(Double.isFinite(number), name, "finite or the string Infinity", value);
    return number;
  }

  public long whole(String name) {
    if (get(name) instanceof Integer || get(name) instanceof Long) {
      return ((Number) get(name)).longValue();
    }
    double value = number(name);
    Check.that(
        value == Math.rint(value) && Math.abs(value) < 0x1p53, name, "a whole number", get(name));
    return (long) value;
  }

  public int small(String name) {
    long value = whole(name);
    Check.that(value == (int) value, name, "at most 2^31 - 1", value);
    return (int) value;
  }

  public List<?> list(String name) {
    Object value = get(name);
    Check.that(value instanceof List, name, "a list", value);
    return (List<?>) value;
  }

  public List<Double> numbers(String name) {
    return list(name).stream().map(value -> number(name, value)).toList();
  }

  /** As JSON holds a number. */
  public static Object number(double value) {
    return Double.isInfinite(value) ? "Infinity" : (Object) value;
  }
}
