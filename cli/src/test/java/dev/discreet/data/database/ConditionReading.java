package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.sql.Types;
import java.util.Map;

/** The door to conditions on rows, which only a database reads, for the tests of hostile input. */
public final class ConditionReading {
  private static final Map<String, RowCondition.Known> COLUMNS =
      Map.of(
          "age", new RowCondition.Known(Types.INTEGER, false, "\"age\""),
          "weight", new RowCondition.Known(Types.INTEGER, false, "\"weight\""),
          "region", new RowCondition.Known(Types.VARCHAR, false, "\"region\""),
          "day", new RowCondition.Known(Types.DATE, false, "\"day\""),
          "ill", new RowCondition.Known(Types.BIT, true, "\"ill\""));

  private ConditionReading() {}

  /** What is sent to a database for a condition on a table of these columns. */
  public static String sql(String given) {
    return RowCondition.sql(
        given,
        name -> {
          RowCondition.Known column = COLUMNS.get(name);
          Check.that(column != null, "column", "one of " + COLUMNS.keySet(), name);
          return column;
        });
  }
}
