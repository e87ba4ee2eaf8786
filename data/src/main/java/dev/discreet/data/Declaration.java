package dev.discreet.data;

import java.util.function.Predicate;

/** What an owner may declare of data; a format or a named set takes some of these. */
public enum Declaration {
  LABELS("labels", options -> options.labels().isPresent()),
  LABEL("label", options -> options.label().isPresent()),
  COLUMNS("columns", options -> !options.columns().isEmpty()),
  UNIT("unit", options -> options.unit().isPresent()),
  UNIT_MAP("unit map", options -> options.unitMap().isPresent()),
  BOUNDS("bounds", options -> options.bounds().isPresent()),
  INPUT("input", options -> options.input().isPresent()),
  CLASSES("classes", options -> !options.classes().isEmpty()),
  TEST_FOLDER("test folder", DataOptions::testFolder),
  /** Of images: mean and deviation. */
  MEAN("mean", options -> !options.mean().isEmpty()),
  PUBLIC_TEST("public test", options -> options.publicTest().isPresent());

  private final String label;
  private final Predicate<DataOptions> given;

  Declaration(String label, Predicate<DataOptions> given) {
    this.label = label;
    this.given = given;
  }

  /** As messages name it. */
  public String label() {
    return label;
  }

  boolean isGiven(DataOptions options) {
    return given.test(options);
  }
}
