package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.files.JsonFields;
import dev.discreet.core.model.NumberMarks.Decimal;
import dev.discreet.core.model.NumberMarks.Thousands;
import dev.discreet.core.nn.Shape;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumberMarksTest {
  private static final NumberMarks GERMAN = new NumberMarks(Decimal.COMMA, Thousands.POINT);

  @Test
  void numbersWithAComma() {
    NumberMarks comma = new NumberMarks(Decimal.COMMA, Thousands.NONE);
    assertEquals(1.5, comma.of(" 1,5 "));
    assertEquals(-1234.5e-3, comma.of("-1234,5e-3"));
    assertEquals(0.5, comma.of(",5"));
    assertEquals(12, comma.of("12"));
    for (String cell : List.of("1.5", "1.000", "1,5,0", "", ",", "NaN", "1 000", "1d", "0x1")) {
      assertEquals(Double.NaN, comma.of(cell), cell);
    }
  }

  /** A mark out of place makes another number for every reader, so it makes none here. */
  @Test
  void thousandsStandInGroupsOfThree() {
    assertEquals(1234567.25, GERMAN.of("1.234.567,25"));
    assertEquals(1234567.25, GERMAN.of("1234567,25"));
    assertEquals(-12345e3, GERMAN.of("-12.345e3"));
    for (String cell :
        List.of(
            "1.5",
            "1234.567",
            "1.23.456",
            ".123",
            "1.234.",
            "1..234",
            "1,234.567",
            ",123.456",
            "1.2345",
            "+.123",
            "1e1.000")) {
      assertEquals(Double.NaN, GERMAN.of(cell), cell);
    }
    assertEquals(1234, new NumberMarks(Decimal.POINT, Thousands.COMMA).of("1,234"));
    NumberMarks space = new NumberMarks(Decimal.COMMA, Thousands.SPACE);
    for (String gap : List.of(" ", "\u00A0", "\u202F", "\u2009")) {
      assertEquals(1234.5, space.of("1" + gap + "234,5"));
    }
    assertEquals(1234.5, new NumberMarks(Decimal.POINT, Thousands.APOSTROPHE).of("1’234.5"));
  }

  /** Against the numbers as Java writes them for a country. */
  @Test
  void asACountryWritesThem() {
    SplittableRandom random = new SplittableRandom(1);
    DecimalFormat german =
        new DecimalFormat("#,##0.0###", DecimalFormatSymbols.getInstance(Locale.GERMANY));
    for (int i = 0; i < 2_000; i++) {
      double value =
          Math.rint((random.nextDouble() - 0.5) * Math.pow(10, 1 + random.nextInt(10)) * 1e4) / 1e4;
      assertEquals(value, GERMAN.of(german.format(value)), german.format(value));
    }
  }

  @Test
  void oneMarkCannotMeanTwoThings() {
    assertThrows(
        IllegalArgumentException.class, () -> new NumberMarks(Decimal.COMMA, Thousands.COMMA));
  }

  @Test
  void aColumnSaysItsMarksInFiles() {
    InputColumn column = new InputColumn.Number("x", 0, 10, GERMAN);
    assertEquals(column, InputColumn.read(JsonFields.of("a column", column.fields())));
    float[] to = new float[1];
    column.write("2,5", to, 0);
    assertEquals(0.25f, to[0]);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> column.write("2.5", to, 0));
    assertEquals(
        "x must be a number with a decimal comma, its thousands apart by point. Provided value: 2.5",
        e.getMessage());
    InputColumn category = InputColumn.parse("y=0.5|1000").marked(GERMAN);
    assertEquals(category, InputColumn.read(JsonFields.of("a column", category.fields())));
    float[] two = new float[2];
    category.write("1.000,0", two, 0);
    assertEquals(1, two[1]);
    // What was declared of missing cells is plain; what stands in cells is not.
    InputColumn missing =
        InputColumn.parse("z=0..10,missing=2.5,missing-cells=9999|NA").marked(GERMAN);
    assertEquals(missing, InputColumn.read(JsonFields.of("a column", missing.fields())));
    for (String cell : List.of("", "NA", "9.999", "2,5")) {
      missing.write(cell, to, 0);
      assertEquals(0.25f, to[0], cell);
    }
    InputColumn ordered = InputColumn.parse("size=0.5<1000").marked(GERMAN);
    assertEquals(ordered, InputColumn.read(JsonFields.of("a column", ordered.fields())));
    ordered.write("1.000", to, 0);
    assertEquals(1, to[0]);
  }

  @Test
  void aMarkThatIsNoneIsRefusedInOneLine() {
    JsonFields fields = JsonFields.of("a column", Map.of("decimal", "a\nb"));
    Exception e = assertThrows(IllegalArgumentException.class, () -> NumberMarks.read(fields));
    assertEquals(
        "decimal of a column must be a mark of numbers. Provided value: a?b", e.getMessage());
  }

  /** The marks are of text: 1.234 is 1,234 there, and never 1234. */
  @Test
  void numbersHaveNoMarks() {
    RawInputs rows =
        new RawInputs.Columns(
            List.of(
                InputColumn.parse("x=0..2000").marked(GERMAN),
                InputColumn.parse("y=0..2000,missing=own,missing-cells=9.5").marked(GERMAN),
                InputColumn.parse("z=1.234|1234").marked(GERMAN)));
    Shape five = Shape.vector(5);
    float[] expected = {1.234f / 2000, 1.5f / 2000, 0, 1, 0};
    assertArrayEquals(expected, rows.inputs(five, 1.234, 1.5, 1.234));
    assertArrayEquals(expected, rows.inputs(five, List.of("1,234", "1,5", "1,234")));
    assertArrayEquals(new float[] {1, 0, 1, 0, 1}, rows.inputs(five, 2000, 9.5, 1234));
  }
}
