package dev.discreet.fuzz;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Changes to the values and fields of JSON, which stays JSON in all but a few of them. */
final class JsonMutations {
  /** Text that stands in JSON as it is. */
  private record Raw(String text) {}

  /** A place in a tree that can be set. */
  private record Place(Object holder, Object key) {
    Object get() {
      return holder instanceof Map<?, ?> map ? map.get(key) : ((List<?>) holder).get((int) key);
    }

    @SuppressWarnings("unchecked")
    void set(Object value) {
      if (holder instanceof Map<?, ?>) {
        ((Map<Object, Object>) holder).put(key, value);
      } else {
        ((List<Object>) holder).set((int) key, value);
      }
    }
  }

  private JsonMutations() {}

  static String json(SplittableRandom random, String json) {
    if (Mutations.chance(random, 8)) {
      return Mutations.text(random, json);
    }
    List<Object> root = new ArrayList<>();
    root.add(parse(json));
    for (int i = Mutations.times(random); i > 0; i--) {
      change(random, root);
    }
    StringBuilder text = new StringBuilder();
    write(root.get(0), text);
    return Mutations.chance(random, 20) ? Mutations.text(random, text.toString()) : text.toString();
  }

  static Object parse(String json) {
    try {
      return JSON.std.anyFrom(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void change(SplittableRandom random, List<Object> root) {
    List<Place> places = new ArrayList<>();
    gather(root, places);
    Place one = Mutations.pick(random, places);
    Place other = Mutations.pick(random, places);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> one.set(value(random));
      case 3 -> {
        // Seldom at a place inside of the other, which would make a circle.
        Object taken = one.get();
        StringBuilder text = new StringBuilder();
        write(taken, text);
        other.set(new Raw(text.toString()));
      }
      case 4 -> {
        if (one.holder instanceof Map<?, ?> map) {
          map.remove(one.key);
        } else if (one.holder != root) {
          ((List<?>) one.holder).remove((int) one.key);
        }
      }
      case 5 -> {
        if (one.holder instanceof Map<?, ?>) {
          new Place(one.holder, Mutations.pick(random, Mutations.WORDS)).set(one.get());
        } else if (one.holder != root) {
          @SuppressWarnings("unchecked")
          List<Object> list = (List<Object>) one.holder;
          list.add(one.get());
        }
      }
      case 6 -> one.set(number(random, one.get()));
      default -> {
        if (one.holder instanceof Map<?, ?>) {
          new Place(one.holder, String.valueOf(other.key)).set(value(random));
        } else {
          one.set(value(random));
        }
      }
    }
  }

  /** The same number made larger, smaller, negative or something else. */
  private static Object number(SplittableRandom random, Object before) {
    return before instanceof Number number
        ? new Raw(
            Mutations.pick(
                random,
                List.of(
                    "-" + number,
                    number + "0",
                    number.longValue() + 1 + "",
                    number.longValue() - 1 + "",
                    number + "e10",
                    "\"" + number + "\"")))
        : value(random);
  }

  private static Object value(SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0 -> null;
      case 1 -> Mutations.chance(random, 2);
      case 2, 3 -> new Raw(Mutations.pick(random, Mutations.NUMBER_TEXTS.subList(0, 18)));
      case 4 -> Mutations.pick(random, Mutations.NUMBER_TEXTS);
      case 5 -> Mutations.pick(random, Mutations.WORDS);
      case 6 -> new ArrayList<>();
      case 7 -> new LinkedHashMap<>();
      default -> {
        int deep = Mutations.chance(random, 4) ? 2000 : 1 + random.nextInt(60);
        yield new Raw(
            Mutations.chance(random, 2)
                ? "[".repeat(deep) + "]".repeat(deep)
                : "{\"a\":".repeat(deep) + "1" + "}".repeat(deep));
      }
    };
  }

  private static void gather(Object holder, List<Place> places) {
    if (holder instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            places.add(new Place(holder, key));
            gather(value, places);
          });
    } else if (holder instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        places.add(new Place(holder, i));
        gather(list.get(i), places);
      }
    }
  }

  static String written(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  private static void write(Object value, StringBuilder to) {
    if (value instanceof Map<?, ?> map) {
      String between = "{";
      for (Map.Entry<?, ?> each : map.entrySet()) {
        to.append(between);
        write(String.valueOf(each.getKey()), to);
        to.append(':');
        write(each.getValue(), to);
        between = ",";
      }
      to.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String between = "[";
      for (Object each : list) {
        to.append(between);
        write(each, to);
        between = ",";
      }
      to.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof String text) {
      try {
        to.append(JSON.std.asString(text));
      } catch (IOException e) {
        to.append("\"\\ud800\""); // half a character, which only an escape can write
      }
    } else {
      to.append(value instanceof Raw raw ? raw.text : value);
    }
  }
}
