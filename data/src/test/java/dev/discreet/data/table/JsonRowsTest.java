package dev.discreet.data.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.TableRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRowsTest {
  @TempDir private Path folder;

  private static DataOptions.Builder declared() {
    return DataOptions.builder()
        .label("sick=no|yes")
        .columns(List.of("age=0..120,missing=own", "sex=f|m"))
        .unit("id");
  }

  private static List<Float> values(Examples examples) {
    List<Float> all = new ArrayList<>();
    float[] row = new float[examples.input().size() + 1];
    for (int i = 0; i < examples.size(); i++) {
      examples.input(i, row, 0);
      examples.target(i, row, row.length - 1);
      for (float each : row) {
        all.add(each);
      }
    }
    return all;
  }

  /**
   * One object a line, and all in an array: both are their CSV to the bit, split and misfits too.
   */
  @Test
  void objectsAreTheCsvOfTheirCells() throws IOException {
    List<String> csv = new ArrayList<>(List.of("id,age,sex,note,sick"));
    List<String> json = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String age = i % 9 == 0 ? "" : i % 120 + (i % 3 == 0 ? ".50" : "");
      String sex = i % 50 == 7 ? "x" : i % 2 == 0 ? "f" : "m";
      String sick = i % 4 == 0 ? "no" : "yes";
      csv.add("p%d,%s,%s,\"a\"\"ü\",%s".formatted(i / 2, age, sex, sick));
      json.add(
          "{\"note\":\"a\\\"\\u00fc\",\"id\":\"p%d\",%s\"sex\":\"%s\",\"other\":{\"sick\":[1]},\"sick\":\"%s\"}"
              .formatted(i / 2, age.isEmpty() ? "" : "\"age\":" + age + ",", sex, sick));
    }
    DataSet text =
        DataSets.open(Files.write(folder.resolve("t.csv"), csv).toString(), declared().build());
    Path lines = Files.write(folder.resolve("t.jsonl"), json);
    Path array =
        Files.writeString(folder.resolve("t.json"), "\uFEFF [" + String.join(",\n", json) + "]\n");
    for (Path each : List.of(lines, array)) {
      DataSet set = DataSets.open(each.toString(), declared().build());
      assertEquals(4, set.misfits().count());
      assertEquals(text.misfits().rows(), set.misfits().rows());
      assertEquals(values(text.train().examples()), values(set.train().examples()));
      assertEquals(
          values(text.test().orElseThrow().examples()),
          values(set.test().orElseThrow().examples()));
      assertEquals(text.train().units().count(), set.train().units().count());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"b\",\"age\":4O,\"sex\":\"f\",\"sick\":\"no\"}",
        "{\"id\":\"b\",\"age\":[40],\"sex\":\"f\",\"sick\":\"no\"}",
        "{\"id\":\"b\",\"age\":40,\"sex\":\"f\",\"sick\":\"no\"",
        "{\"id\":\"b\",\"age\":40,\"sex\":\"f\",\"sick\":\"no\"} {}",
        "{\"id\":\"b\",\"age\":40,\"age\":41,\"sex\":\"f\",\"sick\":\"no\"}",
        "{\"id\":\"b\",\"age\":40,\"sex\":null,\"sick\":\"no\"}",
        "{\"age\":40,\"sex\":\"f\",\"sick\":\"no\"}",
        "[1, 2]",
        "7",
        "}",
        "\"",
      })
  void aLineThatDoesNotFitTouchesNoOther(String bad) throws IOException {
    String good = "{\"id\":\"%s\",\"age\":30,\"sex\":\"m\",\"sick\":\"yes\"}";
    Path file =
        Files.write(
            folder.resolve("t.jsonl"), List.of(good.formatted("a"), bad, good.formatted("c")));
    DataSet set = DataSets.open(file.toString(), declared().testShare(0).build());
    assertEquals(1, set.misfits().count());
    assertTrue(set.misfits().first().get(0).contains("line 2"), set.misfits().toString());
    assertEquals(2, set.train().examples().size());
    float[] row = new float[4];
    set.train().examples().input(1, row, 0);
    assertArrayEquals(new float[] {0.25f, 0, 0, 1}, row);
  }

  /** Which names objects have is private: no header is made of them. */
  @Test
  void columnsAreDeclaredAndNeverFound() throws IOException {
    Path file =
        Files.writeString(folder.resolve("t.json"), "[{\"id\":\"a\",\"secret\":1},3,{\"id\":2}]");
    String refused =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    DataSets.openTable(
                        file.toString(), DataOptions.builder().label("sick=no|yes").build()))
            .getMessage();
    assertTrue(refused.contains("must have its columns declared"), refused);
    assertFalse(refused.contains("secret"), refused);
    try (TableRows rows =
        DataSets.openTable(
            file.toString(), DataOptions.builder().columns(List.of("id=0..9")).build())) {
      assertEquals(List.of("id"), rows.header());
      assertEquals(List.of("a"), rows.next());
      assertEquals(List.of(), rows.next());
      assertEquals("object 2", rows.place());
      assertEquals(List.of("2"), rows.next());
      assertEquals(null, rows.next());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{\"id\":\"s3cret\"", "[{\"id\":\"s3cret\"}] 7", "[{\"id\":s3cret}]"})
  void aDamagedArrayIsRefusedWithoutItsCells(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("t.json"), text);
    try (TableRows rows =
        DataSets.openTable(
            file.toString(), DataOptions.builder().columns(List.of("id=0..9")).build())) {
      String refused =
          assertThrows(
                  IOException.class,
                  () -> {
                    while (rows.next() != null) {
                      assertEquals(1, rows.header().size());
                    }
                  })
              .getMessage();
      assertTrue(refused.contains("one whole array of objects"), refused);
      assertFalse(refused.contains("s3cret"), refused);
    }
  }
}
