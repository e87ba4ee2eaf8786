package dev.discreet.data.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.NumberMarks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowFilterTest {
  private static final Map<String, String> ROW =
      Map.of(
          "age", "41.0",
          "region", "north",
          "born", "1984-02-29",
          "none", "",
          "garbled", "no\uFFFDrth",
          "limit", "7");

  private static boolean chooses(String condition, NumberMarks marks) {
    RowFilter filter = RowFilter.of("where", condition, marks);
    return filter.chooses(filter.columns().stream().map(ROW::get).toList());
  }

  /** As SQL answers, where an empty cell is null. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "age = 41 | true",
        "age <> 41 | false",
        "age != 40 and age >= 41 and age <= 4.1e1 | true",
        "age > 41 or age < 41 | false",
        "region = 'north' | true",
        "region <> 'south' | true",
        "region = 'North' | false",
        "born < '1984-03-01' and born >= '1984-02-29' | true",
        "age between 18 and 65 | true",
        "age not between 18 and 40 | true",
        "region in ('south', 'north') | true",
        "region not in ('south', 'north') | false",
        "age in (1, 41) | true",
        "region like 'n%' | true",
        "region like '_or_h' | true",
        "region not like '%th' | false",
        "region like 'or' | false",
        "region like '%o%r%%' | true",
        "none is null and region is not null | true",
        "none = 'x' | false",
        "not none = 'x' | false",
        "none <> 'x' | false",
        "none = 'x' or age = 41 | true",
        "none = 'x' and age = 1 or age = 41 | true",
        "not (none = 'x' and age = 1) | true",
        "not (none = 'x' or age = 1) | false",
        "not (none = 'x' and age = 41) | false",
        "none in ('x') | false",
        "none not in ('x') | false",
        "region > 5 | false",
        "not region > 5 | false",
        "garbled = 'x' | false",
        "garbled <> 'x' | false",
        "limit < age | true",
        "age < region | false",
        "not age < region | false",
        "region < born | false",
        "region = region | true",
        "\"age\" = 41 | true"
      })
  void aRowIsChosenByWhatItHolds(String condition, boolean expected) {
    assertEquals(expected, chooses(condition, NumberMarks.PLAIN));
  }

  @Test
  void numbersInCellsHaveTheMarksOfTheTable() {
    NumberMarks german = new NumberMarks(NumberMarks.Decimal.COMMA, NumberMarks.Thousands.POINT);
    RowFilter filter = RowFilter.of("where", "income > 1500.5", german);
    assertTrue(filter.chooses(List.of("1.500,51")));
    assertTrue(!filter.chooses(List.of("1.500,50")));
  }

  /** Whatever else the condition says of the row; empty cells fit, and texts that it names do. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "age > 5 | ",
        "region = 'south' and born is not null | ",
        "none > 5 or none = 'x' | ",
        "region > 5 | region",
        "age = 1 and region in (1, 2) | region",
        "age = 41 or not region between 1 and 2 | region",
        "region <> 'north' and region > 5 | ",
        "region not in ('west', 'north') and region > 5 | ",
        "region like 'n%' or region > 5 | ",
        "region = 'south' or region > 5 | region",
        "garbled = 'x' | garbled",
        "garbled > 1 | garbled",
        "garbled is null | ",
        "age < region | region",
        "region < limit | region",
        "region < born | ",
        "region < none | ",
      })
  void aCellThatCannotBeComparedIsAMisfit(String condition, String column) {
    RowFilter filter = RowFilter.of("where", condition, NumberMarks.PLAIN);
    int place = filter.misfit(filter.columns().stream().map(ROW::get).toList());
    assertEquals(column, place < 0 ? null : filter.columns().get(place));
  }

  @Test
  void whatIsDeclaredAsMissingIs() {
    RowFilter filter =
        RowFilter.of("where", "a < 5 or a is null and b = 1", NumberMarks.PLAIN)
            .missing(column -> cell -> column.equals("a") && List.of("NA", "-1").contains(cell));
    assertEquals(-1, filter.misfit(List.of("NA", "1")));
    assertEquals(1, filter.misfit(List.of("NA", "NA")));
    assertTrue(filter.chooses(List.of("-1", "1")));
    assertTrue(filter.test(List.of("-1", "NA")).isEmpty());
  }

  @Test
  void onlyConditionsOnTheRowAreRead() {
    for (String bad :
        List.of(
            "",
            "age",
            "age > avg(age)",
            "age > (select 1)",
            "age in (1, 'x')",
            "age between 1 and 'x'",
            "age like 5",
            "age = true",
            "age + 1 > 2")) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> RowFilter.of("where", bad, NumberMarks.PLAIN))
              .getMessage();
      assertTrue(message.startsWith("where must be a condition on each row by itself"), message);
    }
  }

  /** As databases take it. */
  @Test
  void aListMayBeLong() {
    String numbers = "age in (" + "1,".repeat(4_900) + "41)";
    assertTrue(chooses(numbers, NumberMarks.PLAIN));
    assertTrue(!chooses(numbers.replace("41", "-0"), NumberMarks.PLAIN));
    assertTrue(chooses("region in (" + "'a',".repeat(2_400) + "'north')", NumberMarks.PLAIN));
    assertTrue(chooses("age=1 or ".repeat(1_100) + "age=41", NumberMarks.PLAIN));
    assertTrue(chooses("age=41 and ".repeat(900) + "age=41", NumberMarks.PLAIN));
    RowFilter zero = RowFilter.of("where", "a in (1, -0.0)", NumberMarks.PLAIN);
    assertTrue(zero.chooses(List.of("0")) && zero.test(List.of("")).isEmpty());
  }

  @Test
  void noCellTakesLong() {
    RowFilter filter =
        RowFilter.of("where", "a like '" + "%a".repeat(400) + "b'", NumberMarks.PLAIN);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> filter.chooses(List.of("a".repeat(20_000))));
  }
}
