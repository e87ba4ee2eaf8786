package dev.discreet.data.text;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on each row of a table by itself, as text. Whatever might look at other rows is
 * refused, and so is whatever one row could stop, for a refusal would tell of that row: arithmetic
 * overflows and divides by zero, functions and conversions fail. What is left compares columns with
 * constants of their kind:
 *
 * <pre>
 * column = constant           =, &lt;&gt;, !=, &lt;, &lt;=, &gt;, &gt;=, with a column of the same type too
 * column [NOT] IN (a, b)      column [NOT] BETWEEN a AND b
 * column [NOT] LIKE 'a%'      column IS [NOT] NULL
 * AND, OR, NOT, parentheses
 * </pre>
 *
 * @param <C> a column, for who makes something of the condition
 * @param <T> what is made of a condition
 */
public final class ConditionText<C, T> {
  private static final int LONGEST = 10_000;
  private static final int DEEPEST = 100;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*+(?:(?<number>[+-]?(?:\\d++(?:\\.\\d++)?|\\.\\d++)(?:[eE][+-]?\\d{1,3})?)(?![\\w.])"
              + "|(?<text>'(?:[^'\\\\\\p{Cntrl}]|'')*+')"
              + "|\"(?<quoted>[^\"\\p{Cntrl}]++)\"(?!\")"
              + "|(?<word>[\\p{L}_][\\p{L}\\p{N}_]*+)"
              + "|(?<sign><=|>=|<>|!=|=|<|>|\\(|\\)|,))");

  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");

  private static final Set<String> WORDS =
      Set.of("AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "IS", "NULL", "TRUE", "FALSE");

  /** What a column may be compared with. */
  public enum Constant {
    NUMBER("a number"),
    TEXT("a text, as in 'north'"),
    DAY("a date, as in '2026-01-31'"),
    TRUTH("TRUE or FALSE");

    private final String words;

    Constant(String words) {
      this.words = words;
    }
  }

  /** What was read of the text, as it may be sent; of a name, what it means. */
  private record Token(String group, String text) {}

  /** Makes something of what is read. Constants are as they were typed, texts in their quotes. */
  public interface Maker<C, T> {
    /** Refuses a name that the table does not have. */
    C column(String name);

    /** As messages name it. */
    String shown(C column);

    /** What it may be compared with: one kind, or texts and numbers; none to refuse it. */
    Set<Constant> takes(C column);

    /** Whether two columns may be compared with each other. */
    boolean areAlike(C one, C other);

    T either(T one, T other);

    T both(T one, T other);

    T not(T one);

    T inside(T one);

    T isNull(C column, boolean not);

    T in(C column, boolean not, List<String> constants);

    T between(C column, boolean not, String low, String high);

    T like(C column, boolean not, String pattern);

    T compared(C column, String sign, String constant);

    T compared(C column, String sign, C other);
  }

  private final String name;
  private final String given;
  private final List<Token> tokens = new ArrayList<>();
  private final Maker<C, T> maker;
  private int at;

  private ConditionText(String name, String given, Maker<C, T> maker) {
    this.name = name;
    this.given = given;
    this.maker = maker;
  }

  /**
   * @param name what messages call the condition
   * @param given its text
   */
  public static <C, T> T read(String name, String given, Maker<C, T> maker) {
    ConditionText<C, T> condition = new ConditionText<>(name, given, maker);
    condition.split();
    T made = condition.either(0);
    if (condition.at < condition.tokens.size()) {
      throw condition.refusal("AND, OR or the end", condition.tokens.get(condition.at).text());
    }
    return made;
  }

  private void split() {
    Check.that(given.length() <= LONGEST, name, "of at most " + LONGEST + " signs", "more");
    Matcher matcher = TOKEN.matcher(given);
    int last = given.stripTrailing().length();
    int end = 0;
    while (end < last) {
      if (!matcher.region(end, given.length()).lookingAt()) {
        throw refusal(
            "made of columns, constants and comparisons alone",
            given.substring(end).strip().substring(0, 1));
      }
      end = matcher.end();
      for (String group : List.of("number", "text", "quoted", "word", "sign")) {
        if (matcher.group(group) != null) {
          tokens.add(new Token(group, matcher.group(group)));
        }
      }
    }
  }

  private T either(int depth) {
    T made = both(depth);
    while (takes("OR")) {
      made = maker.either(made, both(depth));
    }
    return made;
  }

  private T both(int depth) {
    T made = one(depth);
    while (takes("AND")) {
      made = maker.both(made, one(depth));
    }
    return made;
  }

  private T one(int depth) {
    Check.that(depth < DEEPEST, name, "at most " + DEEPEST + " deep", "deeper");
    if (takes("NOT")) {
      return maker.not(one(depth + 1));
    }
    if (takes("(")) {
      T made = maker.inside(either(depth + 1));
      needs(")");
      return made;
    }
    return comparison();
  }

  private T comparison() {
    C column = column();
    Set<Constant> kinds = maker.takes(column);
    if (kinds.isEmpty()) {
      throw refusal("on columns of numbers, texts, dates or truth values", maker.shown(column));
    }
    if (takes("IS")) {
      boolean not = takes("NOT");
      needs("NULL");
      return maker.isNull(column, not);
    }
    boolean not = takes("NOT");
    if (takes("IN")) {
      needs("(");
      Set<Constant> kind = EnumSet.copyOf(kinds);
      List<String> constants = new ArrayList<>(List.of(constant(kind)));
      while (takes(",")) {
        constants.add(constant(kind));
      }
      needs(")");
      return maker.in(column, not, constants);
    }
    if (takes("BETWEEN")) {
      Set<Constant> kind = EnumSet.copyOf(kinds);
      String low = constant(kind);
      needs("AND");
      return maker.between(column, not, low, constant(kind));
    }
    if (takes("LIKE")) {
      if (!kinds.contains(Constant.TEXT)) {
        throw refusal("LIKE with a column of texts alone", maker.shown(column));
      }
      return maker.like(column, not, constant(EnumSet.of(Constant.TEXT)));
    }
    if (!not && at < tokens.size() && COMPARISONS.contains(tokens.get(at).text())) {
      String typed = tokens.get(at++).text();
      String sign = typed.equals("!=") ? "<>" : typed;
      if (!isName()) {
        return maker.compared(column, sign, constant(EnumSet.copyOf(kinds)));
      }
      C other = column();
      if (!maker.areAlike(column, other)) {
        throw refusal("a comparison of columns of one type", maker.shown(other));
      }
      return maker.compared(column, sign, other);
    }
    throw refusal("a comparison after " + maker.shown(column), next());
  }

  private C column() {
    if (!isName()) {
      throw refusal("a column", next());
    }
    String read = tokens.get(at++).text();
    if (at < tokens.size() && tokens.get(at).text().equals("(")) {
      throw refusal("without functions and queries of its own", read + "(");
    }
    return maker.column(read);
  }

  private boolean isName() {
    if (at == tokens.size()) {
      return false;
    }
    Token token = tokens.get(at);
    return token.group().equals("quoted")
        || token.group().equals("word") && !WORDS.contains(upper(token.text()));
  }

  /**
   * @param kinds any of these; that of the constant is left
   */
  private String constant(Set<Constant> kinds) {
    String group = at < tokens.size() ? tokens.get(at).group() : "";
    String text = next();
    Constant kind = kinds.stream().filter(each -> fits(each, group, text)).findFirst().orElse(null);
    if (kind == null) {
      List<String> words = kinds.stream().map(each -> each.words).toList();
      throw refusal(String.join(" or ", words) + " here", text);
    }
    kinds.retainAll(Set.of(kind));
    at++;
    return text;
  }

  private static boolean fits(Constant kind, String group, String text) {
    return switch (kind) {
      case NUMBER -> group.equals("number");
      case TEXT -> group.equals("text");
      case DAY ->
          group.equals("text")
              && text.matches("'\\d{4}-\\d\\d-\\d\\d([ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?)?'");
      case TRUTH -> group.equals("word") && upper(text).matches("TRUE|FALSE");
    };
  }

  private boolean takes(String word) {
    if (at == tokens.size()) {
      return false;
    }
    Token token = tokens.get(at);
    boolean is =
        (token.group().equals("word") || token.group().equals("sign"))
            && upper(token.text()).equals(word);
    at += is ? 1 : 0;
    return is;
  }

  private void needs(String word) {
    if (!takes(word)) {
      throw refusal(word, next());
    }
  }

  private String next() {
    return at < tokens.size() ? tokens.get(at).text() : "the end";
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private IllegalArgumentException refusal(String must, String found) {
    return new IllegalArgumentException(
        Check.line(
            name
                + " must be a condition on each row by itself: "
                + must
                + ". Provided value: "
                + Check.shortened(given)
                + " (at "
                + found
                + ")"));
  }
}
