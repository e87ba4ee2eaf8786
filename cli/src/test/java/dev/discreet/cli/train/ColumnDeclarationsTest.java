package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.text.ColumnPatterns;
import dev.discreet.recipe.setting.ColumnsFile;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.SettingValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Columns declared by patterns and in a file become the same as those declared one by one. */
class ColumnDeclarationsTest {
  private static final List<String> HEADER =
      List.of("id", "x1", "x2", "x3", "temp_in", "temp_out", "sick");

  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void table() throws IOException {
    StringBuilder text = new StringBuilder(String.join(",", HEADER)).append('\n');
    for (int i = 0; i < 200; i++) {
      text.append(
          "p%d,%d,%d,%d,%d,%d,%s\n"
              .formatted(
                  i, i % 2, i / 2 % 2, i % 3 / 2, i % 50, -i % 20, i % 2 == 0 ? "no" : "yes"));
    }
    table = Files.writeString(folder.resolve("t.csv"), text);
  }

  private static List<String> expanded(String... declarations) {
    return ColumnPatterns.expanded("t.csv", List.of(declarations), HEADER, Set.of("id", "sick"));
  }

  private static void refused(Executable what, String part) {
    String message = Assertions.assertThrows(IllegalArgumentException.class, what).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void patternsAreHeldAgainstTheHeader() {
    assertEquals(
        List.of("x1=0|1", "x2=0|1", "x3=0|1", "temp_in=0..50", "temp_out=-20..5"),
        expanded("x1..x3=0|1", "temp_*=0..50", "temp_out=-20..5"));
    // Label and unit are no inputs unless they are named.
    assertEquals(5, expanded("*=0..1").size());
    assertEquals("id=0..1", expanded("*=0..1", "id=0..1").get(5));
    assertEquals(List.of("gone=0..1"), expanded("gone=0..1"));
    refused(() -> expanded("y*=0..1"), "column y* must be a pattern of columns of t.csv");
    refused(() -> expanded("si*=0..1"), "neither declared by their names nor label");
    refused(() -> expanded("x1..x4=0..1"), "each of which is there. Provided value: x4");
    refused(() -> expanded("x*=0..1", "x1..x2=0|1"), "column x1 must be declared by one pattern");
    refused(() -> expanded("x3..x1=0|1"), "rising");
    // A star in a header is a name where it is given exactly.
    assertEquals(
        List.of("a*=0..1"),
        ColumnPatterns.expanded("t", List.of("a*=0..1"), List.of("a*", "ab"), Set.of()));
  }

  /** As a regular expression the first one would take years. */
  @Test
  void partsOfPatternsStandInTheirOrder() {
    List<String> header = List.of("a".repeat(300) + "c", "abcab", "aab", "ab");
    for (List<String> each :
        List.of(
            List.of("*a*a*a*a*a*a*c", header.get(0)),
            List.of("ab*ab", "abcab"),
            List.of("a*a*b", "abcab", "aab"),
            List.of("a**b", "abcab", "aab", "ab"))) {
      List<String> found = each.subList(1, each.size()).stream().map(n -> n + "=0|1").toList();
      List<String> pattern = List.of(each.get(0) + "=0|1");
      assertEquals(found, ColumnPatterns.expanded("t", pattern, header, Set.of()));
    }
    List<String> none = List.of("*a*a*a*a*a*a*d=0|1");
    refused(() -> ColumnPatterns.expanded("t", none, header, Set.of()), "must be a pattern");
  }

  private Path trained(String name, String... declared) {
    Path run = folder.resolve(name);
    List<String> all =
        new ArrayList<>(
            List.of(
                "train",
                "--data",
                table.toString(),
                "--steps",
                "4",
                "--lot-size",
                "40",
                "--noise-multiplier",
                "2",
                "--insecure-seed",
                "1",
                "--held-out",
                "none",
                "--quiet",
                "--out",
                run.toString()));
    all.addAll(List.of(declared));
    Run.of(all.toArray(String[]::new)).done();
    return run;
  }

  @Test
  void aRunHoldsTheLongForm() throws IOException {
    Path one =
        trained(
            "one",
            "--label",
            "sick=no|yes",
            "--unit-column",
            "id",
            "--column",
            "x1=0|1",
            "--column",
            "x2=0|1",
            "--column",
            "x3=0|1",
            "--column",
            "temp_in=-20..50",
            "--column",
            "temp_out=-20..50");
    Path two =
        trained(
            "two",
            "--label",
            "sick=no|yes",
            "--unit-column",
            "id",
            "--column",
            "x1..x3=0|1",
            "--column",
            "temp_*=-20..50");
    Path file =
        Files.writeString(
            folder.resolve("columns.yaml"),
            """
            # what the table is
            label: sick
            unit-column: id
            columns:
              x1: {values: ['0', '1']}
              x2..x3: 0|1
              temp_*: -20..50
              sick: no|yes
            """);
    Path three = trained("three", "--columns", file.toString());
    Path yaml =
        Files.writeString(
            folder.resolve("run.yaml"),
            "columns: "
                + file
                + "\ncolumn: [x1, 'x2..x3=0|1', temp_*]\ndata: "
                + table
                + "\nsteps: 4\nlot-size: 40\nnoise-multiplier: 2\ninsecure-seed: 1\nheld-out: none\n");
    Path four = folder.resolve("four");
    Run.of("train", yaml.toString(), "--quiet", "--out", four.toString()).done();
    for (Path other : List.of(two, three, four)) {
      for (String same : List.of("model.json", "run.yaml")) {
        assertEquals(
            Files.readString(one.resolve(same)), Files.readString(other.resolve(same)), same);
      }
    }
    assertFalse(Files.readString(three.resolve("run.json")).contains("columns.yaml"));
    Run.of("predict", "--run", two.toString(), "--data", table.toString()).done();
  }

  @Test
  void aWrongFileIsRefusedByItsLine() {
    for (String[] wrong :
        new String[][] {
          {"columns:\n  age: 0..120\n  age: 0..9", "line 3: column age must be declared once"},
          {"columns:\n  age: old", "line 2: column age must be age="},
          {"columns:\n  age: {low: 0, high: 9, step: 2}", "field of column age must be one of"},
          {"columns:\n  age: {low: 0}", "high"},
          {"columns:\n  age: [0, 1]", "line 2: age must be a declaration"},
          {"columns: 3", "line 1: columns must be lines of the form"},
          {"epsilon: 1\ncolumns:\n  age: 0..1", "line 1: epsilon must be left to run files"},
          {"label: age", "must be declarations of columns"},
          {"colums:\n  age: 0..1", "unknown key 'colums'"},
          {"columns:\n  a=b: 0..1", "without ="},
        }) {
      refused(() -> ColumnsFile.parse("c.yaml", wrong[0]), wrong[1]);
    }
    assertEquals(
        InputColumn.parse("age=0..120,missing=40,missing-cells=NA|99"),
        InputColumn.parse(
            ColumnsFile.parse(
                    "c.yaml",
                    "columns:\n  age: {low: 0, high: 120, missing: 40, missing-cells: [NA, 99]}\n")
                .columns()
                .get("age")));
    ColumnsFile draft = ColumnsFile.parse("c.yaml", "columns:\n  age: '?'\n  sex: f|m\n");
    refused(() -> draft.below(SettingValues.nothing()), "column age must be declared in the file");
    SettingValues some =
        SettingValues.nothing().with(DataSettings.COLUMN, List.of("sex", "weight=0..200"));
    assertEquals(
        List.of("sex=f|m", "weight=0..200"),
        draft.below(some).get(DataSettings.COLUMN).orElseThrow());
    refused(
        () -> draft.below(some.with(DataSettings.COLUMN, List.of("gone"))),
        "column must be declared, or the name of one that the declarations file has");
  }
}
