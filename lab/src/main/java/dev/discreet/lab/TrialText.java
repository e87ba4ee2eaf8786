package dev.discreet.lab;

import dev.discreet.accounting.Check;
import dev.discreet.recipe.Recipe;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text that a trial is kept and found by: {@code fine tuning: rate = 0.5, seed = 1}. It is
 * derived from the components of a record and never typed, so that it can forget none of them.
 *
 * <p>A component that is an empty {@link Optional} is left out: a setting that a record gets later,
 * and that earlier trials were without, leaves their texts as they were. Every Java writes the same
 * text. Records of other rooms are refused, as their components are not the laboratory's to keep.
 */
final class TrialText {
  private static final String OURS = TrialText.class.getPackageName();

  private TrialText() {}

  static String of(Trial trial) {
    Check.that(trial instanceof Record, "trial", "a record", trial.getClass());
    String text = words(trial.getClass().getSimpleName()) + ": " + components((Record) trial);
    Check.that(text.indexOf('\n') < 0, "text of a trial", "one line", text);
    return text;
  }

  /**
   * A component of a record.
   *
   * @param type as it is declared
   */
  private record Part(String name, String type, Method accessor) {
    Object of(Record record) {
      try {
        return accessor.invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final ClassValue<List<Part>> PARTS =
      new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> type) {
          return Stream.of(type.getRecordComponents()).map(TrialText::part).toList();
        }
      };

  private static Part part(RecordComponent component) {
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    return new Part(words(component.getName()), component.getGenericType().getTypeName(), accessor);
  }

  private static String components(Record record) {
    return PARTS.get(record.getClass()).stream()
        .filter(part -> !part.of(record).equals(Optional.empty()))
        .map(part -> part.name + " = " + component(record, part))
        .collect(Collectors.joining(", "));
  }

  /** A record with its name before it where others might stand in its place. */
  private static String component(Record record, Part part) {
    Object value = part.of(record) instanceof Optional<?> some ? some.get() : part.of(record);
    boolean named = value instanceof Record && !part.type.contains(value.getClass().getTypeName());
    return named
        ? (words(value.getClass().getSimpleName()) + " " + text(value)).replace(" ()", "")
        : text(value);
  }

  private static String text(Object value) {
    if (value instanceof Double number) {
      return Numbers.show(number);
    } else if (value instanceof List<?> all) {
      return all.stream().map(TrialText::text).collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof Enum<?> one) {
      return one.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    } else if (value instanceof Record record) {
      String room = record.getClass().getPackageName();
      Check.that(room.startsWith(OURS), "record in a trial", "of " + OURS, record.getClass());
      List<Part> parts = PARTS.get(record.getClass());
      // A record with one component is written as that component.
      return parts.size() == 1 ? text(parts.get(0).of(record)) : "(" + components(record) + ")";
    }
    Check.that(
        value instanceof Recipe
            || value instanceof String
            || value instanceof Integer
            || value instanceof Long
            || value instanceof Boolean,
        "component of a trial",
        "a number, text, recipe, list, record or enum constant",
        value.getClass());
    return value.toString();
  }

  /** {@code sourceRate} and {@code SourceRate} are {@code source rate}. */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }
}
