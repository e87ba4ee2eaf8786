package dev.discreet.data;

import dev.discreet.data.text.TextDialect;
import java.util.function.Predicate;

/** What an owner may declare of data; a format or a named set takes some of these. */
public enum Declaration {
  /** A file of labels beside the inputs. */
  LABELS("labels", options -> options.labels().isPresent()),
  /** What is to be predicted. */
  LABEL("label", options -> options.label().isPresent()),
  /** What to predict from. */
  COLUMNS("columns", options -> !options.columns().isEmpty()),
  /** How a table is written. */
  DIALECT(
      "delimiter, quote, decimal, thousands, charset or header",
      options -> !options.dialect().equals(TextDialect.STANDARD)),
  /** Which sheet of a workbook is read. */
  SHEET("sheet", options -> options.sheet().isPresent()),
  /** A column that says whose each row is. */
  UNIT("unit", options -> options.unit().isPresent()),
  /** Which rows of a database are read, or which files are joined. */
  DATABASE("table, join, rows where and table columns", options -> options.database().isPresent()),
  /** A table that says whose each row is. */
  UNIT_MAP("unit map", options -> options.unitMap().isPresent()),
  /** Bounds of plain numbers. */
  BOUNDS("bounds", options -> options.bounds().isPresent()),
  /** The size and the channels of images. */
  INPUT("input", options -> options.input().isPresent()),
  /** The names of the classes of images. */
  CLASSES("classes", options -> !options.classes().isEmpty()),
  /** That folders of images are parts, to train and to test on. */
  TEST_FOLDER("test folder", DataOptions::testFolder),
  /** What images are normalised by: mean and deviation. */
  MEAN("mean", options -> !options.mean().isEmpty()),
  /** Public rows to test on. */
  PUBLIC_TEST("public test", options -> options.publicTest().isPresent());

  private final String label;
  private final Predicate<DataOptions> given;

  Declaration(String label, Predicate<DataOptions> given) {
    this.label = label;
    this.given = given;
  }

  /**
   * As messages name it.
   *
   * @return words
   */
  public String label() {
    return label;
  }

  boolean isGiven(DataOptions options) {
    return given.test(options);
  }
}
