package dev.discreet.data.format;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.Rows;
import dev.discreet.data.Split;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.function.Executable;

/** What tests of readers share. */
public final class Refusals {
  private Refusals() {}

  /** Checks that something is refused in one line that has these parts. */
  public static String refused(Executable reading, Object... parts) {
    Exception error = assertThrows(Exception.class, reading);
    assertTrue(
        error instanceof IOException || error instanceof IllegalArgumentException,
        error.toString());
    assertTrue(Check.oneLine(error.getMessage()), error.getMessage());
    for (Object part : parts) {
      assertTrue(error.getMessage().contains(part.toString()), part + " in " + error.getMessage());
    }
    return error.getMessage();
  }

  /** Checks that one row alone does not fit, by what these parts say, and is no example. */
  public static void misfit(Callable<Rows> reading, Object... parts) {
    Rows rows = assertDoesNotThrow(reading::call);
    assertEquals(1, rows.misfits().count(), rows.misfits()::toString);
    String why = rows.misfits().first().get(0);
    assertTrue(Check.oneLine(why), why);
    for (Object part : parts) {
      assertTrue(why.contains(part.toString()), part + " in " + why);
    }
    int row = rows.misfits().rows().nextSetBit(0);
    assertTrue(Float.isNaN(target(rows.examples(), row)));
    Units units = Split.whole(rows, false).units();
    int examples = IntStream.range(0, units.count()).map(units::size).sum();
    assertEquals(rows.examples().size() - 1, examples);
    assertThrows(IOException.class, rows::fitting);
  }

  public static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  public static Path zip(Path path, Map<String, byte[]> entries) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return path;
  }

  public static float[] input(Examples examples, int example) {
    float[] values = new float[examples.input().size()];
    examples.input(example, values, 0);
    return values;
  }

  public static float target(Examples examples, int example) {
    float[] value = new float[1];
    examples.target(example, value, 0);
    return value[0];
  }

  /** A real data set; the test is skipped where it is not there. */
  public static Path real(String name) {
    Optional<Path> found =
        Stream.of(System.getenv("DISCREET_DATA"), "../../shared/data", "../shared/data")
            .filter(folder -> folder != null)
            .map(folder -> Path.of(folder, name))
            .filter(Files::exists)
            .findFirst();
    Assumptions.assumeTrue(
        found.isPresent(), "no " + name + ": set DISCREET_DATA to the folder that has it");
    return found.get();
  }
}
