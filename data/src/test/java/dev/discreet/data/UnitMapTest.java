package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.Units;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitMapTest {
  @TempDir Path folder;

  /** So many black images, 2×2, and their labels. */
  private Path images(String name, int count) throws IOException {
    ByteBuffer images = ByteBuffer.allocate(16 + 4 * count);
    images.putInt(0x803).putInt(count).putInt(2).putInt(2);
    ByteBuffer labels = ByteBuffer.allocate(8 + count);
    labels.putInt(0x801).putInt(count);
    Files.write(folder.resolve(name + "-labels-idx1-ubyte"), labels.array());
    return Files.write(folder.resolve(name + "-images-idx3-ubyte"), images.array());
  }

  private Path map(String text) throws IOException {
    return Files.writeString(folder.resolve("people.csv"), text.replace(' ', '\n'));
  }

  private static DataOptions options(Path map, Optional<String> unit, Optional<Path> publicTest) {
    DataOptions.Builder options = DataOptions.builder().label("0|1").unitMap(map).testShare(0.5);
    unit.ifPresent(options::unit);
    publicTest.ifPresent(options::publicTest);
    return options.build();
  }

  private static DataSet open(Path data, Path map) throws IOException {
    return DataSets.open(data.toString(), options(map, Optional.empty(), Optional.empty()));
  }

  @Test
  void aPersonsImagesAreOneUnitAndOnOneSide() throws IOException {
    StringBuilder text = new StringBuilder("unit,row");
    for (int row = 59; row >= 0; row--) {
      text.append(" p" + row / 3 + "," + row);
    }
    DataSet set = open(images("train", 60), map(text.toString()));
    Units train = set.train().units();
    Units test = set.test().orElseThrow().units();
    assertEquals(20, train.count() + test.count());
    assertTrue(train.count() > 0 && test.count() > 0);
    for (Units side : List.of(train, test)) {
      assertTrue(IntStream.range(0, side.count()).allMatch(unit -> side.size(unit) == 3));
    }
    assertEquals(60, set.train().examples().size() + set.test().get().examples().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "row,unit 0,a 1,a 2,b 3,b|must have every example's row",
        "row,unit 0,a 1,a 2,b 3,b 3,c|row must be given once",
        "row,unit 0,a 5,b|row must be a whole number from 0, below the number of examples",
        "row,unit 0.5,a|row must be a whole number from 0, below the number of examples",
        "row,unit Ann,a|row must be a whole number from 0, below the number of examples"
      })
  void aMapThatLeavesSomebodyOutIsRefused(String text, String message) throws IOException {
    Path data = images("train", 5);
    Path map = map(text);
    String said = assertThrows(IllegalArgumentException.class, () -> open(data, map)).getMessage();
    assertEquals(map + " " + message + " (outside the guarantee, for your eyes).", said);
  }

  @Test
  void aRowThatItGivesToNoOneCountsAsZero() throws IOException {
    DataSet set = open(images("train", 5), map("row,unit 0,a 1, 2,b 3,b 4,c"));
    assertEquals(1, set.misfits().count());
    assertTrue(set.misfits().first().get(0).endsWith("unit of row 1 must say whose it is."));
    DataSet.Part test = set.test().orElseThrow();
    assertEquals(3, set.train().units().count() + test.units().count());
    assertEquals(4, set.train().examples().size() + test.examples().size());
  }

  @Test
  void whatItCannotCoverIsRefused() throws IOException {
    images("train", 4);
    images("t10k", 5);
    Path map = map("row,unit 0,a 1,a 2,b 3,c");
    String said =
        assertThrows(IllegalArgumentException.class, () -> open(folder, map)).getMessage();
    assertTrue(said.startsWith("unit map must be left out for data with a private test"), said);
    Path train = folder.resolve("train-images-idx3-ubyte");
    Path test = folder.resolve("t10k-images-idx3-ubyte");
    DataSet set =
        DataSets.open(train.toString(), options(map, Optional.empty(), Optional.of(test)));
    assertEquals(3, set.train().units().count());
    assertEquals(5, set.test().orElseThrow().units().count());
    assertThrows(
        IllegalArgumentException.class, () -> options(map, Optional.of("id"), Optional.empty()));
    assertThrows(IllegalArgumentException.class, () -> open(Path.of("digits"), map));
  }
}
