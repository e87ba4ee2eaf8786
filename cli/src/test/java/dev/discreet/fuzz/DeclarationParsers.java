package dev.discreet.fuzz;

import dev.discreet.cli.query.QuestionFile;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.database.ConditionReading;
import dev.discreet.data.text.ColumnPatterns;
import dev.discreet.data.text.RowFilter;
import dev.discreet.data.text.TextDialect;
import dev.discreet.recipe.setting.ColumnsFile;
import dev.discreet.recipe.setting.SettingValues;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Readers of texts that say what a table is, and which of its rows are read. */
final class DeclarationParsers {
  private static final List<String> FILES =
      List.of(
          "label: ill\ndelimiter: ;\nheader: c1..c3\ncolumns:\n  age: 0..120\n"
              + "  x*: {low: 0, high: 1}\n  ill: {values: [a, b], missing: own}\n",
          """
          # how it is written
          unit-column: who
          charset: windows-1252
          decimal: comma
          quote: single
          missing: indicator(4)
          missing-cells: NA|99
          columns:
            visit: 2015-01-01..2024-12-31+month,pattern=dd.MM.yyyy
            day: {dates: weekday, pattern: yyyyMMdd}
            size: {ordered: [low, mid, high], missing: mid, missing-cells: ['?', none]}
            town: n|s,other=else
            'a b': ?
            "c1..c9": {1..16}
          """);

  private static final List<String> CONDITIONS =
      List.of(
          "age >= 18 AND region IN ('north', 'west')",
          "NOT (age BETWEEN 1 AND 1e3 OR region NOT LIKE 'a%_''b') and ill = true",
          "\"day\" <> '2026-01-31 10:00:00' or age != weight and region is not null",
          "((age<+.5)) or day is null");

  private static final List<String> JOINS =
      List.of("visits on person", "clinic.regions ON region , public", "a on on on b, c");

  private static final List<String> PATTERNS =
      List.of(
          "c1..c3/c*=0..1/c1,c2,c3,d", "x01..x12,id/x01..x09=a|b,x10=f|m/x01,x02", "a/*b*=0|1/abc");

  private static final List<String> QUESTIONS =
      List.of(
          """
          data: people.csv
          epsilon: 1
          questions:
          - ask: count
            by: [region=north|south, "age=0,18,65"]
            where: age >= 18
            weight: 2.5
          - {ask: mean, column: income=0..200000, margins: true}
          """);

  private DeclarationParsers() {}

  static List<HostileParser> all() {
    return List.of(
        text("columns-file", FILES, DeclarationParsers::readFile),
        text("column-pattern", PATTERNS, DeclarationParsers::readPatterns),
        text("row-condition", CONDITIONS, DeclarationParsers::readCondition),
        text("questions", QUESTIONS, (folder, files) -> QuestionFile.parse("q", files.text())),
        text("join", JOINS, DeclarationParsers::readJoin));
  }

  private static HostileParser text(
      String name, List<String> valid, HostileParser.Reading reading) {
    return HostileParser.ofText(name, random -> changed(random, name, valid), reading);
  }

  private static HostileFiles changed(SplittableRandom random, String name, List<String> valid) {
    return HostileFiles.of(name, Mutations.text(random, Mutations.pick(random, valid)));
  }

  private static void readFile(Path folder, HostileFiles files) {
    ColumnsFile file = ColumnsFile.parse("columns", files.text());
    Map<String, String> beside = new HashMap<>();
    file.columns().keySet().forEach(name -> beside.put(name, "a comment"));
    ColumnsFile again = ColumnsFile.parse("columns", file.text(List.of("a comment"), beside));
    TableParsers.same(file.columns(), again.columns());
    TableParsers.same(file.text(List.of(), Map.of()), again.text(List.of(), Map.of()));
    TableParsers.refusedOrNot(() -> file.below(SettingValues.nothing()).checked());
  }

  /** Names of columns, declarations of several and a header, with slashes between. */
  private static void readPatterns(Path folder, HostileFiles files) {
    String[] parts = (files.text() + "//").split("/", 3);
    List<String> header = List.of(parts[2].split(","));
    List<String> declarations = List.of(parts[1].split(","));
    TableParsers.refusedOrNot(
        () -> ColumnPatterns.expanded("a table", declarations, header, Set.of("d")));
    TextDialect.STANDARD.named(List.of(parts[0].split(",")));
  }

  /**
   * What a database gets is read as the same, and has no more than comparisons in it. What these
   * columns refuse is asked of cells of text, whose kind no one knows.
   */
  private static void readCondition(Path folder, HostileFiles files) {
    String text = files.text();
    String sql;
    try {
      sql = ConditionReading.sql(text);
    } catch (IllegalArgumentException e) {
      RowFilter filter = RowFilter.of("where", text, NumberMarks.PLAIN);
      filter.chooses(Collections.nCopies(filter.columns().size(), "12"));
      return;
    }
    TableParsers.same(sql, ConditionReading.sql(sql));
    String bare = sql.replaceAll("'(?:[^']|'')*+'|\"[a-z]+\"", "");
    if (!bare.matches("(?:[ ()<>=,]|[-+.\\dEe]+|(?i)true|false|[a-z]+)*+")
        || bare.contains("--")
        || sql.contains("\\")) {
      throw new AssertionError("sent to a database: " + sql);
    }
  }

  private static void readJoin(Path folder, HostileFiles files) {
    DatabaseSelection.Join join = DatabaseSelection.Join.parse(files.text());
    TableParsers.same(join, DatabaseSelection.Join.parse(join.text()));
  }
}
