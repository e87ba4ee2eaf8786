package dev.discreet.data.database;

import dev.discreet.data.text.ConditionText;
import dev.discreet.data.text.ConditionText.Constant;
import java.sql.Types;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A condition on each row as SQL. The database gets none of the text as it was typed: it is written
 * anew from what was read.
 *
 * @param columns refuses names that the table does not have
 */
record RowCondition(Function<String, Known> columns)
    implements ConditionText.Maker<RowCondition.Known, String> {
  /**
   * A column of the table.
   *
   * @param type as {@link Types} numbers it
   * @param isTruth whether the driver gives truth values, which some number as bits
   * @param quoted as SQL names it
   */
  record Known(int type, boolean isTruth, String quoted) {}

  /** The condition as SQL. */
  static String sql(String given, Function<String, Known> columns) {
    return ConditionText.read("rows where", given, new RowCondition(columns));
  }

  @Override
  public Known column(String name) {
    return columns.apply(name);
  }

  @Override
  public String shown(Known column) {
    return column.quoted();
  }

  @Override
  public Set<Constant> takes(Known column) {
    if (column.isTruth()) {
      return Set.of(Constant.TRUTH);
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
          Set.of(Constant.NUMBER);
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR ->
          Set.of(Constant.TEXT);
      case Types.DATE, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> Set.of(Constant.DAY);
      default -> Set.of();
    };
  }

  @Override
  public boolean areAlike(Known one, Known other) {
    return one.type() == other.type();
  }

  @Override
  public String either(String one, String other) {
    return one + " or " + other;
  }

  @Override
  public String both(String one, String other) {
    return one + " and " + other;
  }

  @Override
  public String not(String one) {
    return "not " + one;
  }

  @Override
  public String inside(String one) {
    return "(" + one + ")";
  }

  @Override
  public String isNull(Known column, boolean not) {
    return column.quoted() + (not ? " is not null" : " is null");
  }

  @Override
  public String in(Known column, boolean not, List<String> constants) {
    return column.quoted() + negated(not) + " in (" + String.join(", ", constants) + ")";
  }

  @Override
  public String between(Known column, boolean not, String low, String high) {
    return column.quoted() + negated(not) + " between " + low + " and " + high;
  }

  @Override
  public String like(Known column, boolean not, String pattern) {
    return column.quoted() + negated(not) + " like " + pattern;
  }

  @Override
  public String compared(Known column, String sign, String constant) {
    return column.quoted() + " " + sign + " " + constant;
  }

  @Override
  public String compared(Known column, String sign, Known other) {
    return compared(column, sign, other.quoted());
  }

  private static String negated(boolean not) {
    return not ? " not" : "";
  }
}
