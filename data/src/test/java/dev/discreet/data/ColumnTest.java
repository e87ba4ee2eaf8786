package dev.discreet.data;

import static dev.discreet.data.format.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.Task;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTest {
  private static Column categories(String name, List<String> values) {
    return new Column.Categories(new InputColumn.Category(name, values));
  }

  @ParameterizedTest
  @CsvSource({
    "age=0..120, age, 0, 120",
    "' t = -1.5 .. 2e3 ', t, -1.5, 2000",
    "x=-.5..-1e-3, x, -0.5, -0.001",
    "x=+1..10, x, 1, 10"
  })
  void boundsAreRead(String text, String name, double low, double high) {
    assertEquals(new Column.Bounded(name, low, high), Column.parse(text));
  }

  @Test
  void vocabulariesAreRead() {
    assertEquals(
        categories("sex", List.of("male", "not said")), Column.parse(" sex = male | not said "));
    assertEquals(categories("n", List.of("-1", "0", "1")), Column.parse("n={ -1 .. 1 }"));
    assertEquals(categories("label", List.of("0", "1")), Column.label(Optional.of("0|1")));
    assertEquals(categories("digit", List.of("0", "1")), Column.label(Optional.of("digit={0..1}")));
    assertEquals(new Column.Bounded("bounds", -1, 1), Column.bounds("-1..1"));
    assertEquals(new Task.Number("y", 0, 2), Column.parse("y=0..2").task());
    assertEquals(new Task.Classes(List.of("a", "b")), Column.parse("y=a|b").task());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "age",
        "=0..1",
        "age=",
        "age=5",
        "age=1..1",
        "age=2..1",
        "age=0..1e999",
        "age=a|a",
        "age=a|",
        "age=|a",
        "age=0..x",
        "age={1..1}",
        "age={0..99999999}",
        "age={1.5..3}",
        "age\n=0..1",
        "age=0..9,missing=",
        "age=0..9,missing=ten",
        "age=0..9,missing=10",
        "age=0..9,missing=5,missing-cells=5.0",
        "age=0..9,missing=5,missing=6",
        "age=0..9,missing-cells=NA|NA",
        "age=0..9,missing-cells=NA|",
        "age=0..9,other=10",
        "sex=f|m,missing=x",
        "sex=f|own,missing=own",
        "sex=f|m,missing-cells=m",
        "flag=0|1,missing-cells=1.0",
        "region=n|s,other=s",
        "region=n|s,other=a|b",
        "grade=a<b,other=c",
        "grade=a<a",
        "grade=a<",
        "visit=2024-01-01..2023-01-01",
        "visit=2023-02-29..2024-01-01",
        "visit=month+",
        "visit=month+month",
        "visit=month,pattern=MM.yyyy",
        "visit=month,pattern=YYYY-MM-dd",
        "visit=month,pattern=dd.mm.yyyy",
        "visit=month,pattern=bbb",
        "visit=month,pattern='",
        "visit=month,other=x",
        "visit=month,missing=tomorrow",
        "visit=2020-01-01..2020-01-11,missing=2021-01-01",
        "age=0..9,pattern=dd.MM.yyyy",
        ""
      })
  void whatIsNoColumnIsRefused(String text) {
    refused(() -> Column.parse(text), "must be");
  }

  /** Labels are numbers or categories; a row without one counts as zero. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "y=0..9,missing=5",
        "y=month",
        "y=a|b,missing=own",
        "y=a<b",
        "y=a|b,missing=indicator(a)"
      })
  void whatCannotBePredictedIsRefused(String text) {
    refused(() -> Column.label(text, NumberMarks.PLAIN), "label must be NAME=A|B", text);
  }

  @Test
  void aMissingLabelIsNone() {
    Column age = Column.label("age=0..120,missing-cells=99|NA", NumberMarks.PLAIN);
    assertEquals(0.5f, age.target("60"));
    for (String cell : List.of("99", "99.0", "NA", "")) {
      refused(() -> age.target(cell), "age must be", told(cell));
    }
    refused(() -> age.target(99.0), "age must be there");
    Column region = Column.label("region=north|south,other=elsewhere", NumberMarks.PLAIN);
    assertEquals(new Task.Classes(List.of("north", "south", "elsewhere")), region.task());
    assertEquals(2, region.target("west"));
    refused(() -> region.target(" "), "region must be one of");
  }

  @Test
  void missingDeclarationsSayHow() {
    refused(() -> Column.label(Optional.empty()), "label must be declared", "{0..9}", "0..10");
    refused(() -> Column.bounds("1-2"), "bounds must be LOW..HIGH", "1-2");
  }

  @ParameterizedTest
  @CsvSource({"10, 0", "20, 0.5", " 25 , 0.75", "-7, 0", "1e3, 1", "30.0, 1"})
  void numbersAreMovedIntoTheBoundsAndScaled(String cell, float expected) {
    float[] to = new float[2];
    Column column = Column.parse("x=10..30");
    column.input(cell, to, 1);
    assertArrayEquals(new float[] {0, expected}, to);
    assertEquals(expected, column.target(cell));
    assertEquals(expected, column.target(Double.parseDouble(cell)));
  }

  @Test
  void boundsThatSpanAllNumbersDoNotOverflow() {
    double most = Double.MAX_VALUE;
    assertEquals(0.5, new Column.Bounded("x", -most, most).scaled(0));
    assertEquals(1, new Column.Bounded("x", -most, most).scaled(most));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "NaN", "nan", "Infinity", "1e999", "12d", "0x1p3", "1,5", "NA", "-"})
  void whatIsNoNumberIsRefused(String cell) {
    refused(() -> Column.parse("x=10..30").target(cell), "x must be a number", told(cell));
  }

  private static String told(String cell) {
    return cell.isBlank() ? "an empty cell" : '"' + cell + '"';
  }

  @Test
  void categoriesAreOneHot() {
    Column column = Column.parse("c=a|b|c");
    float[] to = {9, 9, 9, 9};
    column.input(" b ", to, 1);
    assertArrayEquals(new float[] {9, 0, 1, 0}, to);
    refused(() -> column.target("d"), "c must be one of a, b, c", "\"d\"");
    refused(() -> column.target(""), "c must be one of a, b, c");
  }

  @Test
  void theSameNumberIsTheSameCategory() {
    assertEquals(1, Column.parse("c=0|1").target("1.0"));
    assertEquals(0, Column.parse("c=0|1").target("-0"));
    assertEquals(1, Column.parse("zip=02134|2134").target("2134"));
    refused(() -> Column.parse("zip=02134|2134").target("2134.0"), "zip must be one of");
    refused(() -> Column.parse("c=0|1").target("NaN"), "c must be one of 0, 1");
  }

  @Test
  void labelsOfFilesOfNumbers() {
    assertEquals(1, Column.parse("y=3|7").target(7.0));
    assertEquals(1, Column.parse("y=cat|dog").target(1.0));
    refused(() -> Column.parse("y=3|7").target(1.0), "y must be one of 3, 7");
    refused(() -> Column.parse("y=cat|dog").target(2.0), "y must be an integer in [0, 1]", "2");
    refused(() -> Column.parse("y=cat|dog").target(0.5), "y must be an integer in [0, 1]");
    refused(() -> Column.parse("y=0..1").target(Double.NaN), "y must be a finite number");
  }
}
