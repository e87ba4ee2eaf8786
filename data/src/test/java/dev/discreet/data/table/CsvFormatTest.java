package dev.discreet.data.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFormatTest {
  @TempDir Path folder;

  private static List<List<String>> read(Path file, String... columns) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    new CsvFormat().readCells(file, DataOptions.none(), List.of(columns), rows::add);
    return rows;
  }

  @Test
  void cellsAsTheyAreWritten() throws IOException {
    Path file = folder.resolve("a.csv");
    Files.writeString(file, "name, age ,city\n\"A, B\",31,x\nC, 4.5 ,\nD\nE,no,y,z\n");
    assertEquals(
        List.of(List.of("31", "A, B"), List.of("4.5", "C"), List.of("", "D"), List.of("no", "E")),
        read(file, "age", "name"));
    new CsvFormat().checkColumns(file, DataOptions.none(), List.of("city"));
    Files.writeString(file, "name\tage\nA\t1\n");
    assertEquals(List.of(List.of("1")), read(file, "age"));
    Files.writeString(file, "age\n");
    assertEquals(List.of(), read(file, "age"));
  }

  @Test
  void refusals() throws IOException {
    Path file = folder.resolve("a.csv");
    Files.writeString(file, "name,age\n");
    for (String message :
        List.of(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new CsvFormat().checkColumns(file, DataOptions.none(), List.of("aeg")))
                .getMessage(),
            assertThrows(IllegalArgumentException.class, () -> read(file, "aeg")).getMessage())) {
      assertTrue(message.endsWith("must have the column aeg. Its columns: name, age"), message);
    }
    Path none = folder.resolve("none.csv");
    assertTrue(
        assertThrows(
                IOException.class,
                () -> new CsvFormat().checkColumns(none, DataOptions.none(), List.of("age")))
            .getMessage()
            .endsWith("none.csv does not exist."));
  }
}
