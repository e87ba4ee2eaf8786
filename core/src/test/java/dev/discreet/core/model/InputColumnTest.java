package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.files.JsonFields;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputColumnTest {
  private static float[] inputs(String column, String cell) {
    InputColumn read = InputColumn.parse(column);
    float[] inputs = new float[read.width()];
    Arrays.fill(inputs, 7); // what another row left there
    read.write(cell, inputs, 0);
    return inputs;
  }

  /** What is written, read and written again, as text and as model.json has it, stays the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "age=0.0..120.0",
        "age=0.0..120.0,missing=40",
        "age=0.0..120.0,missing=own",
        "age=0.0..120.0,missing=row,missing-cells=99|NA",
        "age=0.0..120.0,missing=indicator(40),missing-cells=null",
        "sex=male|female",
        "sex=male|female,missing=female",
        "work=Private|?|A*,missing=own,missing-cells=n/a, none",
        "region=north|south,other=elsewhere",
        "region=north,other=else, where",
        "region=north|south,other=elsewhere,missing=elsewhere",
        "size=small, size=1|a=b,",
        "grade=low<mid<high",
        "grade=1<2<3,missing=indicator(2)"
      })
  void textsAndFieldsComeBack(String text) {
    InputColumn column = InputColumn.parse(text);
    assertEquals(text, column.text());
    assertEquals(column, InputColumn.parse(column.text()));
    InputColumn read = InputColumn.read(JsonFields.of("column", column.fields()));
    assertEquals(column, read);
    assertEquals(text, read.text());
    assertEquals(column.hashCode(), read.hashCode());
  }

  @Test
  void spacesAndOrderDoNotMatter() {
    assertEquals(
        InputColumn.parse("age=0..120,missing=40,missing-cells=NA|99"),
        InputColumn.parse(" age = 0 .. 120 , missing-cells = NA | 99 , missing = 40 "));
    assertEquals(
        "age=0.0..120.0,missing=row,missing-cells=NA",
        InputColumn.parse("age=0..120,missing-cells=NA").text());
  }

  @ParameterizedTest
  @CsvSource({
    "'age=0..100,missing=40', '', 0.4",
    "'age=0..100,missing=40', 50, 0.5",
    "'age=0..100,missing=40,missing-cells=NA|99', NA, 0.4",
    "'age=0..100,missing=40,missing-cells=NA|99', ' 99.0 ', 0.4",
    "'age=0..100,missing=own', ' ', 0 1",
    "'age=0..100,missing=own', 25, 0.25 0",
    "'age=0..100,missing=indicator(40)', '', 0.4 1",
    "'age=0..100,missing=indicator(40)', 100, 1 0",
    "'sex=f|m,missing=m', '', 0 1",
    "'sex=f|m,missing=own', '', 0 0 1",
    "'sex=f|m,missing=own', f, 1 0 0",
    "'sex=f|m,missing=indicator(f)', '', 1 0 1",
    "'region=n|s,other=else', west, 0 0 1",
    "'region=n|s,other=else', else, 0 0 1",
    "'region=n|s,other=else', s, 0 1 0",
    "'region=n|s,other=else,missing=else', '', 0 0 1",
    "'region=n|s,other=else,missing=own,missing-cells=NA', NA, 0 0 0 1",
    "'grade=low<mid<high', low, 0 0",
    "'grade=low<mid<high', mid, 1 0",
    "'grade=low<mid<high', high, 1 1",
    "'grade=1<2<3', 2.0, 1 0",
    "'grade=1<2<3,missing=3', '', 1 1",
  })
  void cellsBecomeInputs(String column, String cell, String expected) {
    String[] numbers = expected.split(" ");
    float[] wanted = new float[numbers.length];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = Float.parseFloat(numbers[i]);
    }
    assertArrayEquals(wanted, inputs(column, cell), 1e-7f);
  }

  /** Such a row counts as zero where it is one of many. */
  @ParameterizedTest
  @CsvSource({
    "age=0..100, ''",
    "'age=0..100,missing-cells=99', 99",
    "'age=0..100,missing-cells=99', ''",
    "'age=0..100,missing=40', NA",
    "'region=n|s,other=else', ''",
    "'region=n|s,other=else', a\uFFFDb",
    "'region=n|s,other=else,missing-cells=NA', NA",
    "grade=low<mid<high, other",
    "grade=low<mid<high, ''",
  })
  void whatIsNoneIsRefused(String column, String cell) {
    assertThrows(IllegalArgumentException.class, () -> inputs(column, cell));
  }

  @Test
  void whatATextCouldNotGiveBackIsRefused() {
    Optional<String> none = Optional.empty();
    for (Runnable each :
        List.<Runnable>of(
            () -> new InputColumn.Category("c", List.of("a", "b, missing=own")),
            () -> new InputColumn.Category("c", List.of("a|b", "c")),
            () -> new InputColumn.Ordered("c", List.of("a<b", "c")),
            () -> new MissingCells(Optional.of("own"), false, List.of()),
            () -> new MissingCells(none, true, List.of("a|b")),
            () ->
                new InputColumn.Missing(
                    InputColumn.parse("a=0..1,missing=own"), MissingCells.of("own", List.of())))) {
      IllegalArgumentException e = assertThrows(IllegalArgumentException.class, each::run);
      assertTrue(e.getMessage().contains(" must be "), e.getMessage());
    }
  }

  @Test
  void whatHoldsForAllColumnsGivesWayToTheirOwn() {
    Optional<String> own = Optional.of("own");
    Optional<String> cells = Optional.of("NA|99");
    assertEquals(
        "age=0..120,missing=own,missing-cells=NA|99",
        ColumnSyntax.withMissing("age=0..120", own, cells));
    String said = "age=0..120,missing=40,missing-cells=null";
    assertEquals(said, ColumnSyntax.withMissing(said, own, cells));
    assertEquals(
        "age=0..120", ColumnSyntax.withMissing("age=0..120", Optional.empty(), Optional.empty()));
  }
}
