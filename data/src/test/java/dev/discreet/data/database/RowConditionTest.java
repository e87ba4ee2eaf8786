package dev.discreet.data.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Types;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowConditionTest {
  private static final Map<String, RowCondition.Known> COLUMNS =
      Map.of(
          "age", new RowCondition.Known(Types.INTEGER, false, "\"age\""),
          "limit", new RowCondition.Known(Types.INTEGER, false, "\"limit\""),
          "Big One", new RowCondition.Known(Types.DOUBLE, false, "\"Big One\""),
          "region", new RowCondition.Known(Types.VARCHAR, false, "\"region\""),
          "born", new RowCondition.Known(Types.DATE, false, "\"born\""),
          "ok", new RowCondition.Known(Types.BIT, true, "\"ok\""),
          "doc", new RowCondition.Known(Types.OTHER, false, "\"doc\""));

  private static String sql(String text) {
    return RowCondition.sql(
        text,
        name -> {
          if (!COLUMNS.containsKey(name)) {
            throw new IllegalArgumentException("column " + name);
          }
          return COLUMNS.get(name);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "age>=18 | \"age\" >= 18",
        "not age != -1.5e3 | not \"age\" <> -1.5e3",
        "\"Big One\" between 0 and .5 | \"Big One\" between 0 and .5",
        "region = 'it''s -- ; fine' | \"region\" = 'it''s -- ; fine'",
        "(age = 1 or ok = TRUE) AND Region_ | ",
        "region not like 'n%' or region in ('a','b') "
            + "| \"region\" not like 'n%' or \"region\" in ('a', 'b')",
        "born < '2026-01-31' and doc_ | ",
        "age = limit and age is not null | \"age\" = \"limit\" and \"age\" is not null",
        "born >= '2026-01-31' | \"born\" >= '2026-01-31'"
      })
  void whatIsAllowedIsWrittenAnew(String given, String expected) {
    if (expected == null) {
      assertThrows(IllegalArgumentException.class, () -> sql(given));
    } else {
      assertEquals(expected, sql(given));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "age",
        "age > (select avg(age) from people)",
        "exists (select 1)",
        "age in (select age from t)",
        "age > avg(age)",
        "age > 3; drop table people",
        "age > 3 limit 5",
        "age > 3 order by age",
        "age > 3 -- all",
        "age > 3 /* all */",
        "row_number() over () < 5",
        "age / limit > 1",
        "age + 1 > 2",
        "age > 1 = ok",
        "pg_sleep(3) is null",
        "age > 'x'",
        "region = 5",
        "born = 'tomorrow'",
        "ok = 1",
        "age like 'x'",
        "region like 'a\\'",
        "region = E'x'",
        "region = 'x",
        "region = \"region",
        "region = $$x$$",
        "region = :name",
        "region = ?",
        "doc is null and doc = 'x'",
        "age = any (1)",
        "age = 0x10",
        "age = 1e9999",
        "age between 1 or 2",
        "not",
        "((age = 1)",
        "age = 1 union select 2",
        "age::text = '1'",
        "case when age = 1 then 1 end = 1"
      })
  void everythingElseIsRefusedByName(String given) {
    String message = assertThrows(IllegalArgumentException.class, () -> sql(given)).getMessage();
    assertTrue(
        message.startsWith("rows where must be a condition on each row by itself")
            || message.startsWith("column "),
        message);
  }

  /** No text whatever makes SQL of other words than these. */
  @Test
  void nothingElseComesOut() {
    String[] parts = {
      "age", "region", "'x'", "'", "\"", "(", ")", "and", "or", "not", "=", "<", ">", "in", ",",
      "1", "-", "--", "/*", ";", "select", "is", "null", "like", "between", " ", "\n", "\\",
      "\"age\"", "''", "é", "\0", "*", "ok", "true"
    };
    Random random = new Random(5);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(i % 2 == 0 ? "age = 1 " : "");
      for (int j = random.nextInt(6); j >= 0; j--) {
        text.append(parts[random.nextInt(parts.length)]).append(random.nextInt(3) == 0 ? "" : " ");
      }
      String sql;
      try {
        sql = sql(text.toString());
      } catch (IllegalArgumentException e) {
        continue;
      }
      read++;
      assertTrue(
          sql.replaceAll("'([^']|'')*'", "1")
              .matches(
                  "(\"(age|region|ok)\"|1|TRUE|true|and|or|not|is|null|like|in|between|=|<|>|<>|<=|>="
                      + "|\\(|\\)|,| )+"),
          sql);
    }
    assertTrue(read > 30, "" + read);
  }

  @Test
  void depthIsBounded() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> sql("(".repeat(5000) + "age = 1"))
            .getMessage();
    assertTrue(message.contains("at most 100 deep"), message);
  }
}
