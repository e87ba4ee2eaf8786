package dev.discreet.data.named;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On copies of the real sets, where there are any. */
class NamedSetsTest {
  @TempDir Path folder;

  private static Path copies() {
    Optional<Path> found =
        Stream.of(
                System.getenv("DISCREET_DATA"),
                "../shared/data",
                "../../shared/data",
                "../../../shared/data")
            .filter(path -> path != null && Files.isDirectory(Path.of(path)))
            .map(Path::of)
            .findFirst();
    assumeTrue(found.isPresent(), "no copies of the named sets: set DISCREET_DATA");
    return found.get();
  }

  private static DataOptions in(Path dataDir) {
    return DataOptions.named(Optional.of(dataDir), 0, line -> {});
  }

  private static DataSet open(String name, Path dataDir) throws IOException {
    return NamedSets.open(NamedSets.find(name).orElseThrow(), in(dataDir));
  }

  private static void looksAsDescribed(DataSet set, NamedSet described) {
    assertEquals(described.task(), set.task());
    assertFalse(set.train().isPublic());
    assertTrue(set.test().orElseThrow().isPublic());
    for (DataSet.Part part : List.of(set.train(), set.test().get())) {
      assertEquals(described.shape(), part.examples().input());
      assertEquals(part.examples().size(), part.units().count());
      part.units().check(part.examples().size());
    }
  }

  /**
   * Normalised by the public figures, pixels have mean 0 and deviation 1. All of them: the order of
   * MNIST is not random, and every 20th image has a variance of 0.945.
   */
  private static void isNormalised(Examples examples, double tolerance) {
    float[] pixels = new float[examples.input().size()];
    double sum = 0;
    double squares = 0;
    long count = 0;
    for (int i = 0; i < examples.size(); i++) {
      examples.input(i, pixels, 0);
      for (float pixel : pixels) {
        sum += pixel;
        squares += pixel * pixel;
        count++;
      }
    }
    assertEquals(0, sum / count, tolerance);
    assertEquals(1, squares / count, tolerance);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mnist", "fashion-mnist"})
  void imagesOfMnistAndItsLikeAreRead(String name) throws IOException {
    DataSet set = open(name, copies());
    NamedSet described = NamedSets.find(name).orElseThrow();
    looksAsDescribed(set, described);
    assertEquals(described.train(), set.train().examples().size());
    assertEquals(described.test(), set.test().get().examples().size());
    // The figures have four digits.
    isNormalised(set.train().examples(), 1e-3);
  }

  @Test
  void jpegCopiesOfCifarAreRecognised() throws IOException {
    Path zip = cifarImages(copies());
    assertEquals(zip, Catalogue.cifarImages().checked(zip));
    NamedSet set = NamedSets.find("cifar10").orElseThrow();
    assertEquals("CIFAR-10 (JPEG copies)", NamedSets.title(set, in(copies())));
    assertTrue(NamedSets.isCopied("cifar10", in(copies())));
    assertFalse(NamedSets.isCopied("digits", in(copies())));
  }

  /** Decodes 60,000 images: run it with {@code -Ddiscreet.slow=true}. */
  @Test
  @EnabledIfSystemProperty(named = "discreet.slow", matches = "true")
  void jpegCopiesOfCifarSayThatTheyAre() throws IOException {
    Path copies = copies();
    cifarImages(copies);
    DataSet set = open("cifar10", copies);
    NamedSet described = NamedSets.find("cifar10").orElseThrow();
    looksAsDescribed(set, described);
    assertEquals("CIFAR-10 (JPEG copies)", set.name());
    assertEquals(described.train(), set.train().examples().size());
    // The figures are those of the official pixels, from which JPEG copies differ.
    isNormalised(set.train().examples(), 0.02);
  }

  private static Path cifarImages(Path copies) {
    Path zip = copies.resolve("cifar10/cifar10-images.zip");
    assumeTrue(Files.exists(zip), "no JPEG copies of CIFAR-10");
    return zip;
  }

  @Test
  void employmentHasTheTenFeaturesOfTheStudy() throws IOException {
    DataSet set = open("pums-employment", copies());
    NamedSet described = NamedSets.find("pums-employment").orElseThrow();
    looksAsDescribed(set, described);
    assertEquals(described.inputs().size(), described.shape().size());
    int rows = set.train().examples().size() + set.test().get().examples().size();
    assertEquals(described.train(), rows);
    assertEquals(0.2, set.test().get().examples().size() / (double) rows, 0.015);
    // Counted from the file by other means: all rows, degrees, black women, employed.
    double[] sums = new double[11];
    for (DataSet.Part part : List.of(set.train(), set.test().get())) {
      float[] row = new float[11];
      for (int i = 0; i < part.examples().size(); i++) {
        part.examples().input(i, row, 0);
        part.examples().target(i, row, 10);
        for (int j = 0; j < 11; j++) {
          assertTrue(row[j] == 0 || row[j] == 1, "feature " + j + " is " + row[j]);
          sums[j] += row[j];
        }
      }
    }
    assertEquals(13_588, sums[0]);
    assertEquals(9_657, sums[4]);
    assertEquals(6_253, sums[9]);
    assertEquals(16_183, sums[10]);
  }

  @Test
  void aCopyWithOtherContentsIsRefused() throws IOException {
    Path file = folder.resolve("pums/FultonPUMS5full.csv");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "sex,employed\n1,1\n");
    String message =
        assertThrows(IOException.class, () -> open("pums-employment", folder)).getMessage();
    assertTrue(message.startsWith(file + " must be the published file, of SHA-256 "), message);
    assertEquals(1, message.lines().count());
  }

  @Test
  void aSetThatNoOneServesMustBeThere() {
    assumeTrue(System.getenv("DISCREET_DATA") == null, "a copy may be in DISCREET_DATA");
    String message =
        assertThrows(IOException.class, () -> open("pums-employment", folder)).getMessage();
    assertEquals(
        "FultonPUMS5full.csv is not here, and we know no place that serves it. Put a copy into"
            + " DIR/pums and give --data-dir DIR or DISCREET_DATA=DIR.",
        message);
  }

  @Test
  void whereACopyLiesIsTold() throws IOException {
    NamedSet set = NamedSets.find("mnist").orElseThrow();
    Path mnist = Files.createDirectories(folder.resolve("mnist"));
    for (PublicFile file : set.files()) {
      Files.write(mnist.resolve(file.name()), new byte[1]);
    }
    assertEquals(Optional.of(mnist), NamedSets.where(set, in(folder)));
  }

  @Test
  void everyFileToFetchHasAHashAndAPlace() {
    for (NamedSet set : NamedSets.all()) {
      for (PublicFile file : set.files()) {
        assertTrue(file.sha256().matches("[0-9a-f]{64}"), file.name());
        assertEquals(set.name().equals("pums-employment"), file.mirrors().isEmpty(), file.name());
        file.mirrors().forEach(uri -> assertTrue(uri.getPath().endsWith(file.fetchedName())));
      }
    }
    for (PublicFile file : Catalogue.cifarBatches()) {
      assertTrue(file.sha256().matches("[0-9a-f]{64}"), file.name());
    }
  }
}
