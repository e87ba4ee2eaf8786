package dev.discreet.cli.query;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.cli.console.Table;
import dev.discreet.core.privacy.PrivacySession;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** One question about a table: what it reads of each row, what it costs, and what was answered. */
interface Question {
  /**
   * Who is protected.
   *
   * @param rowsPerUnit how many rows of a unit count; empty where each row is a unit
   * @param areSelected whether somebody chose the rows by what they hold: their number is then no
   *     public one
   */
  record Who(Neighbouring relation, OptionalInt rowsPerUnit, boolean areSelected) {
    int rows() {
      return rowsPerUnit.orElse(1);
    }
  }

  /** What all of a question costs. */
  record Price(double epsilon, double delta) {
    static Price of(Protection protection) {
      return new Price(protection.epsilon(), protection.delta());
    }
  }

  /** The verb that asks it. */
  String name();

  /** What it reads of a row. */
  List<String> columns();

  /** Refuses what does not go with who is protected. */
  void check(Who who);

  /** What it may cost. */
  Price price();

  /** The noise in a word. */
  String noise();

  /**
   * The entries of the ledger, for a part of what it may cost.
   *
   * @param part in (0, 1]
   */
  Ledger cost(double part, Who who);

  /**
   * Takes a row.
   *
   * @param cells those of {@link #columns}
   * @param unit whose the row is; less than 0 where it is no one's, so that it does not count
   * @return the place of a cell that is neither empty nor of a declared value; −1 for none
   */
  int take(List<String> cells, int unit);

  /** Asks, once all rows are taken. */
  void ask(PrivacySession session, Who who);

  /** What was asked, in words. */
  String words();

  /** How keys that nobody declared came to be shown; empty where all are declared. */
  default String keys() {
    return "";
  }

  /** What was asked and answered, as JSON has it. */
  Map<String, Object> fields(double confidence);

  /** The answer for people; what is left to say of it goes into a table of notes. */
  void print(PrintWriter out, Table notes, double confidence);

  /** The answer as lines of a file. */
  List<AnswerLine> lines(double confidence);
}
