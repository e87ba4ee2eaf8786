package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on each row of a table by itself. Whatever might look at other rows is refused, and
 * so is whatever one row could stop, for a refusal would tell of that row: arithmetic overflows and
 * divides by zero, functions and conversions fail. What is left compares columns with constants of
 * their kind:
 *
 * <pre>
 * column = constant           =, &lt;&gt;, !=, &lt;, &lt;=, &gt;, &gt;=, with a column of the same type too
 * column [NOT] IN (a, b)      column [NOT] BETWEEN a AND b
 * column [NOT] LIKE 'a%'      column IS [NOT] NULL
 * AND, OR, NOT, parentheses
 * </pre>
 *
 * The database gets none of the text as it was typed: it is written anew from what was read.
 */
final class RowCondition {
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

  private enum Kind {
    NUMBER("a number"),
    TEXT("a text, as in 'north'"),
    DAY("a date, as in '2026-01-31'"),
    TRUTH("TRUE or FALSE");

    private final String constant;

    Kind(String constant) {
      this.constant = constant;
    }
  }

  /** What was read of the text, as it may be sent; of a name, what it means. */
  private record Token(String group, String text) {}

  /**
   * A column of the table.
   *
   * @param type as {@link Types} numbers it
   * @param isTruth whether the driver gives truth values, which some number as bits
   * @param quoted as SQL names it
   */
  record Known(int type, boolean isTruth, String quoted) {}

  private final String given;
  private final List<Token> tokens = new ArrayList<>();
  private final Function<String, Known> columns;
  private final StringBuilder sql = new StringBuilder();
  private int at;

  private RowCondition(String given, Function<String, Known> columns) {
    this.given = given;
    this.columns = columns;
  }

  /**
   * The condition as SQL.
   *
   * @param columns refuses names that the table does not have
   */
  static String sql(String given, Function<String, Known> columns) {
    RowCondition condition = new RowCondition(given, columns);
    condition.split();
    condition.either(0);
    if (condition.at < condition.tokens.size()) {
      throw condition.refusal("AND, OR or the end", condition.tokens.get(condition.at).text());
    }
    return condition.sql.toString();
  }

  private void split() {
    Check.that(given.length() <= LONGEST, "rows where", "of at most " + LONGEST + " signs", "more");
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

  private void either(int depth) {
    both(depth);
    while (takes("OR")) {
      sql.append(" or ");
      both(depth);
    }
  }

  private void both(int depth) {
    one(depth);
    while (takes("AND")) {
      sql.append(" and ");
      one(depth);
    }
  }

  private void one(int depth) {
    Check.that(depth < DEEPEST, "rows where", "at most " + DEEPEST + " deep", "deeper");
    if (takes("NOT")) {
      sql.append("not ");
      one(depth + 1);
    } else if (takes("(")) {
      sql.append('(');
      either(depth + 1);
      needs(")");
      sql.append(')');
    } else {
      comparison();
    }
  }

  private void comparison() {
    Known column = column();
    Kind kind = kind(column);
    if (takes("IS")) {
      sql.append(takes("NOT") ? " is not null" : " is null");
      needs("NULL");
      return;
    }
    boolean not = takes("NOT");
    sql.append(not ? " not" : "");
    if (takes("IN")) {
      needs("(");
      sql.append(" in (");
      constant(kind);
      while (takes(",")) {
        sql.append(", ");
        constant(kind);
      }
      needs(")");
      sql.append(')');
    } else if (takes("BETWEEN")) {
      sql.append(" between ");
      constant(kind);
      needs("AND");
      sql.append(" and ");
      constant(kind);
    } else if (takes("LIKE")) {
      if (kind != Kind.TEXT) {
        throw refusal("LIKE with a column of texts alone", column.quoted());
      }
      sql.append(" like ");
      constant(kind);
    } else if (!not && at < tokens.size() && COMPARISONS.contains(tokens.get(at).text())) {
      String sign = tokens.get(at++).text();
      sql.append(' ').append(sign.equals("!=") ? "<>" : sign).append(' ');
      if (isName()) {
        Known other = column();
        if (other.type() != column.type()) {
          throw refusal("a comparison of columns of one type", other.quoted());
        }
      } else {
        constant(kind);
      }
    } else {
      throw refusal("a comparison after " + column.quoted(), next());
    }
  }

  private Known column() {
    if (!isName()) {
      throw refusal("a column", next());
    }
    String name = tokens.get(at++).text();
    if (at < tokens.size() && tokens.get(at).text().equals("(")) {
      throw refusal("without functions and queries of its own", name + "(");
    }
    Known column = columns.apply(name);
    sql.append(column.quoted());
    return column;
  }

  private boolean isName() {
    if (at == tokens.size()) {
      return false;
    }
    Token token = tokens.get(at);
    return token.group().equals("quoted")
        || token.group().equals("word") && !WORDS.contains(upper(token.text()));
  }

  private Kind kind(Known column) {
    if (column.isTruth()) {
      return Kind.TRUTH;
    }
    return switch (column.type()) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE,
          Types.NUMERIC,
          Types.DECIMAL ->
          Kind.NUMBER;
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR ->
          Kind.TEXT;
      case Types.DATE, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> Kind.DAY;
      default ->
          throw refusal("on columns of numbers, texts, dates or truth values", column.quoted());
    };
  }

  private void constant(Kind kind) {
    String group = at < tokens.size() ? tokens.get(at).group() : "";
    String text = next();
    boolean fits =
        switch (kind) {
          case NUMBER -> group.equals("number");
          case TEXT -> group.equals("text");
          case DAY ->
              group.equals("text")
                  && text.matches(
                      "'\\d{4}-\\d\\d-\\d\\d([ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?)?'");
          case TRUTH -> group.equals("word") && upper(text).matches("TRUE|FALSE");
        };
    if (!fits) {
      throw refusal(kind.constant + " here", text);
    }
    at++;
    sql.append(text);
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
            "rows where must be a condition on each row by itself: "
                + must
                + ". Provided value: "
                + Check.shortened(given)
                + " (at "
                + found
                + ")"));
  }
}
