package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table whose rows are put beside those of another, wherever both have the same in a column.
 *
 * <p>Formal guarantee: joined on the column that says whose each row is, a person's rows come of
 * that person's rows in both tables alone. Joined to a public table, a row comes of one private
 * row. Any other join is refused.
 *
 * <pre>{@code
 * DatabaseSelection visits =
 *     DatabaseSelection.table("people").join(TableJoin.parse("visits on person"));
 * }</pre>
 *
 * @param table its name, or {@code SCHEMA.NAME}, as the database writes it
 * @param column in both tables
 * @param isPublic whether this table is declared public: no row of it is anyone's
 */
@PublicApi
public record TableJoin(String table, String column, boolean isPublic) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?i)(?<table>.*\\S)\\s+on\\s+(?<column>[^\\s,](?:.*?\\S)?)(?<public>\\s*,\\s*public)?");

  /**
   * Reads what {@link #text} writes.
   *
   * @param text {@code visits on person}, or {@code regions on region, public}
   * @return the join
   */
  public static TableJoin parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    Check.that(
        matcher.matches() && Check.oneLine(text),
        "join",
        "TABLE on COLUMN, or of a public table TABLE on COLUMN, public",
        text);
    return new TableJoin(
        matcher.group("table"), matcher.group("column"), matcher.group("public") != null);
  }

  /**
   * The join as an option or a run file says it.
   *
   * @return what {@link #parse} reads
   */
  public String text() {
    return table + " on " + column + (isPublic ? ", public" : "");
  }
}
