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
        "grade=1<2<3,missing=indicator(2)",
        "visit=2015-01-01..2024-12-31",
        "note=text,hash=1024,words=1..2",
        "note=text,hash=64,letters=3..5,missing=none, at all,missing-cells=-",
        "note=text,hash=64,words=1..1,letters=2..2,missing=own",
        "note=text|tokens",
        "note=text,other=words",
        "note=tokens,vocabulary=fever|cough,length=64",
        "note=tokens,vocabulary=fever|cough,length=64,missing=none",
        "visit=month",
        "visit=2015-01-01..2024-12-31+month+weekday,pattern=MMM d, yyyy,missing=own",
        "visit=weekday,pattern=dd.MM.yyyy HH:mm,missing=01.02.2023 00:00,missing-cells=NA",
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
    "visit=2020-01-01..2020-01-11, 2020-01-06, 0.5",
    "visit=2020-01-01..2020-01-11, 2020-01-06T12:00, 0.55",
    "visit=2020-01-01..2020-01-11, 2020-01-06 12:00:00.0, 0.55",
    "visit=2020-01-01..2020-01-11, 2020-01-06T12:00:00Z, 0.55",
    "visit=2020-01-01..2020-01-11, 2020-01-06T14:00:00+02:00, 0.55",
    "visit=2020-01-01..2020-01-11, 2020-01-06 14:00:00.5+02, 0.5500006",
    "visit=2020-01-01..2020-01-11, 2020-01-07T02:00:00+1400, 0.55",
    "visit=2020-01-01..2020-01-11, 1999-12-31, 0",
    "visit=2020-01-01..2020-01-11, 2035-12-31T23:59:59, 1",
    "visit=month, 2024-02-29, 0 1 0 0 0 0 0 0 0 0 0 0",
    "visit=weekday, 2024-02-29, 0 0 0 1 0 0 0",
    "visit=2024-02-28..2024-03-01+weekday, 2024-02-29, 0.5 0 0 0 1 0 0 0",
    "'visit=weekday,pattern=dd.MM.yyyy', 29.02.2024, 0 0 0 1 0 0 0",
    "'visit=weekday,pattern=MMM d, yyyy', 'Feb 29, 2024', 0 0 0 1 0 0 0",
    "'visit=weekday,pattern=d/M/yy HH:mm', 29/2/24 23:59, 0 0 0 1 0 0 0",
    "'visit=2020-01-01..2020-01-11,pattern=yyyy-MM-dd HH', 2020-01-06 12, 0.55",
    "'visit=2020-01-01..2020-01-11,pattern=yyyy-MM-dd[ HH:mm]', 2020-01-06, 0.5",
    "'visit=2020-01-01..2020-01-11,pattern=yyyy-MM-dd hh:mm a', 2020-01-06 12:00 pm, 0.55",
    "'visit=2020-01-01..2020-01-11,pattern=yyyy-MM-dd HH:mm XXX', 2020-01-06 14:00 +02:00, 0.55",
    "'visit=2020-01-01..2020-01-11,missing=2020-01-06', '', 0.5",
    "'note=tokens,vocabulary=fever|cough,length=4', 'Cough, no FEVER!', 3 1 2 0",
    "'note=tokens,vocabulary=fever|cough,length=2', fever fever cough, 2 2",
    "'note=tokens,vocabulary=fever|cough,length=2', '...', 0 0",
    "'note=tokens,vocabulary=fever|cough,length=2,missing=cough', '', 3 0",
    "'note=text,hash=2,missing=own', '', 0 0 1",
    "'note=text,hash=2,missing=own', '!', 0 0 0",
    "'visit=2020-01-01..2020-01-11,missing=own,missing-cells=0001-01-01', 0001-01-01, 0 1",
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
    "visit=month, ''",
    "'note=text,hash=8', ' '",
    "'note=text,hash=8', a\uFFFDb",
    "'note=tokens,vocabulary=a|b,length=3', ''",
    "'note=text,hash=8,missing-cells=NA', NA",
    "visit=month, 2023-02-29",
    "visit=month, 2023-13-01",
    "visit=month, 2023-1-1",
    "visit=month, 01.02.2023",
    "visit=month, 2023-01-01x",
    "visit=month, 2023-01-01T25:00",
    "visit=month, +999999999-12-31T23:59:59-18:00",
    "visit=month, -999999999-01-01T00:00:00+18:00",
    "'visit=month,pattern=dd.MM.yyyy', 31.04.2023",
    "'visit=month,pattern=dd.MM.yyyy', 2023-04-30",
    "'visit=month,pattern=dd.MM.yyyy', 1.4.2023",
  })
  void whatIsNoneIsRefused(String column, String cell) {
    assertThrows(IllegalArgumentException.class, () -> inputs(column, cell));
  }

  /** Java reads nested brackets by calling itself, and counts at most ten digits of a year. */
  @ParameterizedTest
  @CsvSource({"[, 100000, of at most 200 characters", "y, 11, 'of a day, month and year'"})
  void aPatternThatJavaFailsAtIsRefused(String sign, int times, String must) {
    String column = "visit=month,pattern=" + sign.repeat(times) + ".MM.dd";
    Exception e = assertThrows(IllegalArgumentException.class, () -> InputColumn.parse(column));
    assertTrue(e.getMessage().contains(must), e.getMessage());
  }

  /** Otherwise six in the morning would be midnight, and noon in Tokyo noon in Berlin. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "yyyy-MM-dd hh:mm",
        "yyyy-MM-dd KK",
        "yyyy-MM-dd mm",
        "yyyy-MM-dd HH:ss",
        "yyyy-MM-dd a",
        "yyyy-MM-dd HH:mm VV",
        "yyyy-MM-dd HH:mm z",
      })
  void aPatternThatDoesNotTellTheTimeIsRefused(String pattern) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> InputColumn.parse("visit=weekday,pattern=" + pattern));
    assertTrue(e.getMessage().contains("the hour of the day"), e::getMessage);
  }

  @Test
  void aLongNameIsNotTold() {
    String column = "a".repeat(100_000) + "=b";
    Exception e = assertThrows(IllegalArgumentException.class, () -> InputColumn.parse(column));
    assertTrue(e.getMessage().length() < 4000, () -> "" + e.getMessage().length());
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
