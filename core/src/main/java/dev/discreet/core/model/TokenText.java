package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Free text as tokens, for a network that begins with an {@code embedding}: the number of each of
 * its first words in a declared or public vocabulary, counted from 2. Any other word is token 1,
 * and behind the last word stands token 0.
 *
 * <pre>{@code
 * InputColumn note = new TokenText("note", List.of("fever", "cough"), 64);
 * }</pre>
 */
@PublicApi
public final class TokenText implements InputColumn {
  /** Stands behind the last word. */
  public static final int PADDING = 0;

  /** Stands for a word that the vocabulary does not have. */
  public static final int UNKNOWN = 1;

  static final String KIND = "tokens";
  static final String VOCABULARY = "vocabulary";
  static final String LENGTH = "length";

  private static final int FIRST = 2;
  private static final int LONGEST = 65_536;

  private final String name;
  private final List<String> vocabulary;
  private final int length;
  private final Map<String, Integer> tokens = new HashMap<>();

  /**
   * Checks that each word is one, as texts are cut into words.
   *
   * @param name of the column
   * @param vocabulary two or more words, all different and in lower case
   * @param length how many words are kept of a text
   */
  public TokenText(String name, List<String> vocabulary, int length) {
    this.name = name;
    this.vocabulary = List.copyOf(vocabulary);
    this.length = length;
    Check.that(
        length >= 1 && length <= LONGEST,
        LENGTH + " of column " + name,
        "in [1, " + LONGEST + "]",
        length);
    Check.that(
        vocabulary.size() >= 2 && vocabulary.size() <= Vocabulary.MOST,
        VOCABULARY + " of column " + name,
        "a file with a word on each line, or words between |: 2 to " + Vocabulary.MOST,
        vocabulary.size() == 1 ? vocabulary.get(0) : vocabulary.size());
    for (String word : vocabulary) {
      Check.that(
          isWord(word),
          "word in the vocabulary of column " + name,
          "letters and digits alone, in lower case",
          word);
      Check.that(
          tokens.put(word, FIRST + tokens.size()) == null,
          "words in the vocabulary of column " + name,
          "distinct",
          word);
    }
  }

  /** Takes what it uses of the settings of a declaration. */
  static TokenText parse(String name, Map<String, String> settings) {
    String vocabulary = settings.remove(VOCABULARY);
    String length = settings.remove(LENGTH);
    Check.that(
        vocabulary != null,
        VOCABULARY + " of column " + name,
        "declared: a file with a word on each line, or words between |",
        "none");
    return of(name, Arrays.stream(vocabulary.split("\\|", -1)).map(String::strip).toList(), length);
  }

  static TokenText of(String name, List<String> vocabulary, String length) {
    Check.that(
        length != null && length.matches("\\d{1,6}"),
        LENGTH + " of column " + name,
        "how many words are kept of a text, as in length=64",
        length == null ? "none" : length);
    return new TokenText(name, vocabulary, Integer.parseInt(length));
  }

  /**
   * Whether a text is one word, as texts are cut into words.
   *
   * @param text of a vocabulary
   * @return whether a vocabulary may have it
   */
  public static boolean isWord(String text) {
    return TextWords.of(text).equals(List.of(text));
  }

  @Override
  public String name() {
    return name;
  }

  /** {@return the words, in the order of their tokens} */
  public List<String> vocabulary() {
    return vocabulary;
  }

  /** {@return how many tokens there are: what an embedding must know} */
  public int tokens() {
    return FIRST + vocabulary.size();
  }

  @Override
  public int width() {
    return length;
  }

  @Override
  public void write(String cell, float[] to, int at) {
    List<String> words = TextWords.ofCell(name, cell);
    Arrays.fill(to, at, at + length, PADDING);
    for (int i = 0; i < Math.min(length, words.size()); i++) {
      to[at + i] = tokens.getOrDefault(words.get(i), UNKNOWN);
    }
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put(VOCABULARY, vocabulary);
    fields.put(LENGTH, length);
    return fields;
  }

  @Override
  public String text() {
    return name
        + "="
        + KIND
        + ","
        + VOCABULARY
        + "="
        + String.join("|", vocabulary)
        + ","
        + LENGTH
        + "="
        + length;
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
    return tokens.apply(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenText that
        && that.name.equals(name)
        && that.vocabulary.equals(vocabulary)
        && that.length == length;
  }

  @Override
  public int hashCode() {
    return name.hashCode() + 31 * vocabulary.hashCode() + length;
  }

  @Override
  public String toString() {
    return name + "=" + KIND + "," + LENGTH + "=" + length;
  }
}
