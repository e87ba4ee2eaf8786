package dev.discreet.data.database;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.Rows;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.table.TableColumns;
import dev.discreet.data.table.TableReading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One table of people, in every form, and what must come of it in each. */
public final class TestTables {
  public static final List<String> HEADER =
      List.of(
          "id", "person", "age", "income", "weight", "region", "smoker", "born", "seen", "rich");

  private TestTables() {}

  /** Cells as a table has them: {@code null} for nothing. */
  public static List<List<Object>> people(int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          Arrays.asList(
              (long) i,
              i % 31 == 5 ? null : "p" + i % 97,
              i % 13 == 4 ? null : (long) (i * 7 % 100),
              String.format(java.util.Locale.ROOT, "%d.%02d", i * 131 % 9000, i % 100),
              i * 0.37 - 11,
              i % 11 == 3 ? "a \"b\", ü" : i % 2 == 0 ? "north" : "south",
              i % 3 == 0,
              "19%02d-0%d-1%d".formatted(i % 100, 1 + i % 9, i % 10),
              "2026-01-0%dT10:0%d:00".formatted(1 + i % 9, i % 10),
              (long) (i % 2)));
    }
    return rows;
  }

  public static String csv(List<List<Object>> rows) {
    StringBuilder text = new StringBuilder(String.join(",", HEADER)).append('\n');
    for (List<Object> row : rows) {
      List<String> cells =
          row.stream()
              .map(CellText::of)
              .map(c -> c.contains(",") ? '"' + c.replace("\"", "\"\"") + '"' : c)
              .toList();
      text.append(String.join(",", cells)).append('\n');
    }
    return text.toString();
  }

  public static DataOptions.Builder declared() {
    return DataOptions.builder()
        .label("rich=0|1")
        .columns(
            List.of(
                "age=0..100",
                "income=0..9000",
                "weight=-20..40",
                "region=north|south",
                "smoker=false|true"));
  }

  /** Examples, units, what decides on splits, and misfits. */
  public static void assertSame(TableRows one, TableRows other, Optional<String> unit)
      throws IOException {
    TableColumns columns = TableColumns.declared("people", declared().build());
    try (one;
        other) {
      assertEquals(one.header(), other.header());
      Rows a = TableReading.read(one, columns, unit, 1 << 20);
      Rows b = TableReading.read(other, columns, unit, 1 << 20);
      assertArrayEquals(a.unitOf(), b.unitOf());
      assertArrayEquals(a.fingerprints(), b.fingerprints());
      assertEquals(a.misfits().rows(), b.misfits().rows());
      assertEquals(a.examples().size(), b.examples().size());
      int width = a.examples().input().size();
      float[] mine = new float[width + 1];
      float[] theirs = new float[width + 1];
      for (int i = 0; i < a.examples().size(); i++) {
        a.examples().input(i, mine, 0);
        a.examples().target(i, mine, width);
        b.examples().input(i, theirs, 0);
        b.examples().target(i, theirs, width);
        assertArrayEquals(mine, theirs);
      }
    }
  }

  /** What a seeded training makes of it. */
  public static void assertSameModel(DataSet one, DataSet other) {
    assertArrayEquals(parameters(one), parameters(other));
  }

  private static float[] parameters(DataSet data) {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(50).steps(20).clip(1).build();
    return Trainer.of(Network.parse("dense(4) tanh dense(2)"), plan)
        .learningRate(0.5)
        .insecureSeed(7)
        .train(data.train(), null)
        .model()
        .parameters();
  }
}
