package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Free text, which becomes a declared number of inputs: every stretch of a few words, or of a few
 * letters, is counted in the input that a fixed hash function says, and the counts are divided by
 * their Euclidean norm, so that a row has norm 1 however long its text is (0 where it has no word).
 * Which words there are is read off no row.
 *
 * <pre>{@code
 * InputColumn note = InputColumn.parse("note=text,hash=1024,words=1..2");
 * }</pre>
 *
 * @param name of the column
 * @param size how many inputs it becomes
 * @param words how many words stand side by side in what is counted
 * @param letters how many letters do
 */
@PublicApi
public record HashedText(String name, int size, Lengths words, Lengths letters)
    implements InputColumn {
  /** The largest number of inputs. */
  public static final int MOST = 65_536;

  static final String KIND = "text";
  static final String HASH = "hash";
  static final String WORDS = "words";
  static final String LETTERS = "letters";

  private static final long FNV_START = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /**
   * The lengths of what is counted.
   *
   * @param least the shortest; 0 where nothing is
   * @param most the longest
   */
  public record Lengths(int least, int most) {
    /** Nothing is counted. */
    public static final Lengths NONE = new Lengths(0, 0);

    private static final int LONGEST = 10;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,2})(?:\\s*\\.\\.\\s*(\\d{1,2}))?");

    /**
     * Checks their order.
     *
     * @param least the shortest; 0 where nothing is counted
     * @param most the longest
     */
    public Lengths {
      Check.that(
          least >= 1 && least <= most && most <= LONGEST || least == 0 && most == 0,
          "lengths of what is counted in a text",
          "rising, in [1, " + LONGEST + "], as in 1..2",
          least + ".." + most);
    }

    static Lengths parse(String what, String text) {
      Matcher lengths = TEXT.matcher(text.strip());
      Check.that(lengths.matches(), what, "lengths as in 1..2", text);
      int least = Integer.parseInt(lengths.group(1));
      return new Lengths(
          least, lengths.group(2) == null ? least : Integer.parseInt(lengths.group(2)));
    }

    private boolean isNone() {
      return most == 0;
    }

    private String text() {
      return isNone() ? "" : least + ".." + most;
    }
  }

  /**
   * Checks the size, and that something is counted.
   *
   * @param name of the column
   * @param size how many inputs it becomes
   * @param words how many words stand side by side in what is counted
   * @param letters how many letters do
   */
  public HashedText {
    Check.that(
        size >= 2 && size <= MOST, HASH + " of column " + name, "in [2, " + MOST + "]", size);
    Check.that(
        !words.isNone() || !letters.isNone(),
        "column " + name,
        "a text of which words or letters are counted",
        "neither");
  }

  /** Takes what it uses of the settings of a declaration. */
  static HashedText parse(String name, Map<String, String> settings) {
    String size = settings.remove(HASH);
    String words = settings.remove(WORDS);
    String letters = settings.remove(LETTERS);
    return of(
        name, size, words == null && letters == null ? "1" : words, letters == null ? "" : letters);
  }

  private static HashedText of(String name, String size, String words, String letters) {
    Check.that(
        size != null && size.matches("\\d{1,6}"),
        HASH + " of column " + name,
        "how many inputs its text becomes, as in text,hash=1024",
        size == null ? "none" : size);
    return new HashedText(
        name, Integer.parseInt(size), lengths(name, WORDS, words), lengths(name, LETTERS, letters));
  }

  private static Lengths lengths(String name, String what, String text) {
    return text == null || text.isBlank()
        ? Lengths.NONE
        : Lengths.parse(what + " of column " + name, text);
  }

  static HashedText read(String name, JsonFields fields) {
    return of(
        name, String.valueOf(fields.get(HASH)), optional(fields, WORDS), optional(fields, LETTERS));
  }

  private static String optional(JsonFields fields, String field) {
    return fields.map().containsKey(field) ? fields.text(field) : "";
  }

  @Override
  public int width() {
    return size;
  }

  @Override
  public void write(String cell, float[] to, int at) {
    List<String> found = TextWords.ofCell(name, cell);
    Arrays.fill(to, at, at + size, 0);
    for (int i = 0; i < found.size() && !words.isNone(); i++) {
      int most = Math.min(found.size(), i + words.most);
      StringBuilder gram = new StringBuilder("w:");
      for (int end = i + 1; end <= most; end++) {
        gram.append(end > i + 1 ? " " : "").append(found.get(end - 1));
        if (end - i >= words.least) {
          count(gram.toString(), to, at);
        }
      }
    }
    if (!letters.isNone() && !found.isEmpty()) {
      int[] points = (" " + String.join(" ", found) + " ").codePoints().toArray();
      for (int i = 0; i < points.length; i++) {
        for (int end = i + letters.least; end <= Math.min(points.length, i + letters.most); end++) {
          count("l:" + new String(points, i, end - i), to, at);
        }
      }
    }
    double sum = 0;
    for (int i = at; i < at + size; i++) {
      sum += (double) to[i] * to[i];
    }
    double norm = Math.sqrt(sum);
    for (int i = at; norm > 0 && i < at + size; i++) {
      to[i] = (float) (to[i] / norm);
    }
  }

  private void count(String gram, float[] to, int at) {
    to[at + (int) Long.remainderUnsigned(hash(gram), size)]++;
  }

  /** FNV-1a with 64 bits, of the UTF-8 bytes. */
  static long hash(String text) {
    long hash = FNV_START;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ each & 0xff) * FNV_PRIME;
    }
    return hash;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put(HASH, size);
    fields.put(WORDS, words.text());
    fields.put(LETTERS, letters.text());
    return fields;
  }

  @Override
  public String text() {
    return name
        + "="
        + KIND
        + ","
        + HASH
        + "="
        + size
        + (words.isNone() ? "" : "," + WORDS + "=" + words.text())
        + (letters.isNone() ? "" : "," + LETTERS + "=" + letters.text());
  }

  @Override
  public String toString() {
    return text();
  }

  @Override
  public <T> T match(
      Function<Number, T> number,
      Function<Category, T> category,
      Function<Ordered, T> ordered,
      Function<DateColumn, T> date,
      Function<HashedText, T> text,
      Function<TokenText, T> tokens,
      Function<Missing, T> missing) {
    return text.apply(this);
  }
}
