package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** How a column is declared as text: {@link InputColumn#parse} and {@link InputColumn#text}. */
public final class ColumnSyntax {
  private static final String NUMBER = "([+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?)";
  private static final Pattern BOUNDS = Pattern.compile(NUMBER + "\\s*\\.\\.\\s*" + NUMBER);
  private static final Pattern INTEGERS =
      Pattern.compile("\\{\\s*([+-]?\\d{1,15})\\s*\\.\\.\\s*([+-]?\\d{1,15})\\s*}");
  private static final String MISSING = "missing";
  private static final String MISSING_CELLS = "missing-cells";
  private static final String OTHER = "other";

  private static final String PATTERN = "pattern";

  /** What follows the values: a comma, one of these words and an equals sign. */
  private static final Pattern SETTING = settings(MISSING, MISSING_CELLS, OTHER);

  /** What follows values that hold no names of the owner's. */
  private static final Pattern MORE_SETTINGS = settings(MISSING, MISSING_CELLS, OTHER, PATTERN);

  /** What follows the word for free text. */
  private static final Pattern TEXT_SETTINGS =
      settings(
          MISSING,
          MISSING_CELLS,
          OTHER,
          HashedText.HASH,
          HashedText.WORDS,
          HashedText.LETTERS,
          TokenText.VOCABULARY,
          TokenText.LENGTH);

  /** What values may be, for refusals. */
  public static final String VALUES =
      "LOW..HIGH for a number, A|B|C or {1..9} for categories, A<B<C for ordered ones,"
          + " 2015-01-01..2024-12-31, month or weekday for dates, text,hash=N or"
          + " tokens,vocabulary=FILE,length=N for free text";

  private ColumnSyntax() {}

  private static Pattern settings(String... keys) {
    return Pattern.compile(",\\s*+(" + String.join("|", keys) + ")\\s*+=");
  }

  static InputColumn parse(String text) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? "" : text.substring(0, equals).strip();
    Check.that(!name.isEmpty() && Check.oneLine(text), "column", "NAME=" + VALUES, text);
    String rest = text.substring(equals + 1);
    String head = rest.split(",", 2)[0].strip();
    boolean named = DateColumn.parse(name, head, "").isEmpty();
    Pattern follows = isText(head) ? TEXT_SETTINGS : named ? SETTING : MORE_SETTINGS;
    Matcher settings = follows.matcher(rest);
    Map<String, String> given = new LinkedHashMap<>();
    int end = rest.length();
    String values = rest;
    boolean more = settings.find();
    if (more) {
      values = rest.substring(0, settings.start());
    }
    while (more) {
      String key = settings.group(1);
      int start = settings.end();
      more = settings.find();
      String value = rest.substring(start, more ? settings.start() : end).strip();
      Check.that(given.put(key, value) == null, key + " of column " + name, "given once", value);
    }
    String missing = given.remove(MISSING);
    String cells = given.remove(MISSING_CELLS);
    InputColumn column = values(name, values.strip(), given, text);
    Check.that(
        given.isEmpty(),
        "column " + name,
        "without " + String.join(", ", given.keySet()) + ", which is for another kind of column",
        text);
    return missing == null && cells == null
        ? column
        : new InputColumn.Missing(
            column,
            MissingCells.of(
                missing == null ? "row" : missing, cells == null ? List.of() : list(cells, "|")));
  }

  /** Takes what it uses of the settings. */
  private static InputColumn values(
      String name, String values, Map<String, String> settings, String text) {
    Matcher integers = INTEGERS.matcher(values);
    if (integers.matches() || values.indexOf('|') >= 0) {
      return new InputColumn.Category(
          name,
          integers.matches() ? integers(name, integers) : list(values, "|"),
          Optional.ofNullable(settings.remove(OTHER)));
    }
    Optional<double[]> bounds = bounds(values);
    if (bounds.isPresent()) {
      return new InputColumn.Number(name, bounds.get()[0], bounds.get()[1]);
    }
    Optional<DateColumn> date = DateColumn.parse(name, values, settings.getOrDefault(PATTERN, ""));
    if (date.isPresent()) {
      settings.remove(PATTERN);
      return date.get();
    }
    if (isText(values) && !settings.containsKey(OTHER)) {
      return values.equals(HashedText.KIND)
          ? HashedText.parse(name, settings)
          : TokenText.parse(name, settings);
    }
    if (values.indexOf('<') >= 0) {
      return new InputColumn.Ordered(name, list(values, "<"));
    }
    Check.that(
        settings.containsKey(OTHER), "column " + name, Check.shortened(name) + "=" + VALUES, text);
    return new InputColumn.Category(name, List.of(values), Optional.of(settings.remove(OTHER)));
  }

  private static boolean isText(String values) {
    return values.equals(HashedText.KIND) || values.equals(TokenText.KIND);
  }

  private static List<String> integers(String name, Matcher integers) {
    long first = Long.parseLong(integers.group(1));
    long last = Long.parseLong(integers.group(2));
    Check.that(
        first < last && last - first < Vocabulary.MOST,
        "integers of column " + name,
        "rising, at most " + Vocabulary.MOST,
        integers.group());
    return LongStream.rangeClosed(first, last).mapToObj(Long::toString).toList();
  }

  private static List<String> list(String text, String between) {
    return Arrays.stream(text.split(Pattern.quote(between), -1)).map(String::strip).toList();
  }

  /**
   * Reads {@code LOW..HIGH}.
   *
   * @return the two numbers as they stand; empty for another text
   */
  public static Optional<double[]> bounds(String text) {
    Matcher bounds = BOUNDS.matcher(text.strip());
    return bounds.matches()
        ? Optional.of(
            new double[] {Double.parseDouble(bounds.group(1)), Double.parseDouble(bounds.group(2))})
        : Optional.empty();
  }

  /** Whether a text lists categories: {@code A|B|C}, or {@code {1..9}} for integers. */
  public static boolean listsCategories(String text) {
    return text.indexOf('|') >= 0 || INTEGERS.matcher(text.strip()).matches();
  }

  /**
   * A declaration with what holds for all columns, where it does not say something of its own.
   *
   * @param text of one column
   * @param missing what missing cells become; empty to leave that as it is
   * @param cells the missing cells besides the empty one; empty to leave them as they are
   */
  public static String withMissing(String text, Optional<String> missing, Optional<String> cells) {
    return with(with(text, MISSING, missing), MISSING_CELLS, cells);
  }

  private static String with(String text, String key, Optional<String> value) {
    boolean given = SETTING.matcher(text).results().anyMatch(each -> each.group(1).equals(key));
    return given || value.isEmpty() ? text : text + "," + key + "=" + value.get();
  }

  /**
   * A declaration of tokens with its words in place of the name of a file that has them; another
   * declaration stays as it is.
   *
   * @param text of one column
   * @param words of the file of a name
   */
  public static String withVocabulary(String text, Function<String, List<String>> words) {
    int equals = text.indexOf('=') + 1;
    String rest = text.substring(equals);
    if (!rest.split(",", 2)[0].strip().equals(TokenText.KIND)) {
      return text;
    }
    Matcher settings = TEXT_SETTINGS.matcher(rest);
    boolean more = settings.find();
    while (more) {
      boolean found = settings.group(1).equals(TokenText.VOCABULARY);
      int start = settings.end();
      more = settings.find();
      int end = more ? settings.start() : rest.length();
      String value = rest.substring(start, end).strip();
      if (found && value.indexOf('|') < 0) {
        return text.substring(0, equals + start)
            + String.join("|", words.apply(value))
            + rest.substring(end);
      }
    }
    return text;
  }

  /** Refuses values that a text could not give back. */
  static void checkValues(String column, List<String> values, String between) {
    for (String each : values) {
      String what = "value of column " + column;
      Check.that(
          each.indexOf('|') < 0 && !each.contains(between), what, "without " + between, each);
      checkSetting(what, each);
    }
  }

  /** Refuses a text that would begin another part of a declaration. */
  static void checkSetting(String what, String text) {
    Check.that(
        !SETTING.matcher(text).find(),
        what,
        "without a comma before " + String.join("=, ", MISSING, MISSING_CELLS, OTHER) + "=",
        text);
  }
}
