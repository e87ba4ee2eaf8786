package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A table that is read by itself or joined with others, wherever it lies, and what it has. */
interface KnownTable {
  /** How many names a message has. */
  int SHOWN = 50;

  /** The name that messages have. */
  String name();

  /** The name as SQL has it. */
  String quoted();

  /** Its columns by their names, in its order, each quoted. */
  Map<String, RowCondition.Known> columns();

  /** The names of the columns of its primary key, in order; none without one. */
  List<String> key() throws SQLException;

  /** Whether no two rows have the same in a column. Asked of public tables alone. */
  boolean isUnique(String column) throws SQLException;

  /** A column; refuses names that the table does not have. */
  default RowCondition.Known column(String each) {
    Check.that(
        columns().containsKey(each),
        "column of table " + name(),
        "one of " + shown(columns().keySet()),
        each);
    return columns().get(each);
  }

  /** The first of many names. */
  static String shown(Collection<String> names) {
    return names.stream().limit(SHOWN).collect(Collectors.joining(", "))
        + (names.size() > SHOWN ? ", …" : "");
  }
}
