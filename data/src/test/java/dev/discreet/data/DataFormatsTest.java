package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.data.table.CsvFormat;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which format a path is of. */
class DataFormatsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "a.csv, a table",
    "A.TSV, a table",
    "a.tab.gz, a table",
    "idx.csv, a table",
    "a.npy, a NumPy file",
    "a.npz, a NumPy file",
    "a.zip, images in a folder for each class",
    "a.tar.gz, CIFAR batches",
    "idx.tar, CIFAR batches",
    "t10k-images-idx3-ubyte.gz, an IDX file",
    "folder.csv/, images in a folder for each class",
    "mnist/train-images-idx3-ubyte, a folder of IDX files",
    "cifar/data_batch_1.bin, CIFAR batches",
    "cifar/inner/train.bin, CIFAR batches"
  })
  void aPathIsKnownByItsName(String name, String label) throws IOException {
    Path path = folder.resolve(name);
    if (name.endsWith("/")) {
      Files.createDirectories(path);
    } else {
      Files.createDirectories(path.getParent());
      Files.write(path, new byte[8]);
    }
    // Of a file in a folder, the folder is the data.
    Path data = name.indexOf('/') > 0 ? folder.resolve(name.split("/")[0]) : path;
    assertEquals(label, DataFormats.of(data).label());
  }

  @Test
  void firstBytesTellIdx() throws IOException {
    Path strange = Files.write(folder.resolve("scans"), new byte[] {0, 0, 8, 3, 0, 0});
    assertEquals("an IDX file", DataFormats.of(strange).label());
    Path notes = Files.writeString(folder.resolve("notes.doc"), "hello");
    Path sheet = Files.writeString(folder.resolve("sheet.ods"), "hello");
    for (Path other : List.of(notes, sheet)) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> DataFormats.of(other)).getMessage();
      assertTrue(message.startsWith("data must be a path: a .csv or .tsv file, "), message);
      assertEquals(other == sheet, message.contains("export this one as .csv"), message);
    }
  }

  /** A unit map or a table to query may have any name. */
  @Test
  void aFileThatIsReadByItsColumnsIsTakenForText() {
    assertEquals("a table", DataFormats.table(folder.resolve("people.txt")).label());
    assertEquals("a table", DataFormats.table(folder.resolve("people.csv")).label());
  }

  @Test
  void aTableIsOpenedByItsPath() throws IOException {
    Path file = Files.writeString(folder.resolve("people.txt"), "age,sex\n7,male\n");
    try (TableRows rows = DataSets.openTable(file.toString(), DataOptions.none())) {
      assertEquals(List.of("age", "sex"), rows.header());
      assertEquals(List.of("7", "male"), rows.next());
    }
    assertThrows(
        IllegalArgumentException.class, () -> DataSets.openTable("digits", DataOptions.none()));
  }

  /** Nobody asks about a declaration that no data take. */
  @Test
  void everyDeclarationIsTakenBySomeData() {
    boolean ofDatabases =
        DataSets.takes("jdbc:postgresql://host/db").contains(Declaration.DATABASE);
    for (Declaration each : Declaration.values()) {
      boolean always = each == Declaration.UNIT_MAP || each == Declaration.PUBLIC_TEST;
      boolean taken =
          each == Declaration.DATABASE && ofDatabases
              || DataFormats.all().stream().anyMatch(format -> format.takes().contains(each));
      assertTrue(always != taken, each.label());
    }
  }

  /** All that a new format needs. */
  @Test
  void aClassAndALineAddAFormat() throws IOException {
    Path services = folder.resolve("META-INF/services");
    Files.createDirectories(services);
    Files.writeString(services.resolve(DataFormat.class.getName()), Sheets.class.getName());
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      List<DataFormat> formats =
          ServiceLoader.load(DataFormat.class, loader).stream()
              .map(ServiceLoader.Provider::get)
              .toList();
      assertEquals(DataFormats.all().size() + 1, formats.size());
      assertTrue(formats.stream().anyMatch(Sheets.class::isInstance));
      assertFalse(DataFormats.all().stream().anyMatch(Sheets.class::isInstance));
    }
  }

  /** A format of another jar. */
  public static final class Sheets implements DataFormat {
    @Override
    public String label() {
      return "a sheet";
    }

    @Override
    public String paths() {
      return "a .sheet file";
    }

    @Override
    public List<String> suffixes() {
      return List.of(".sheet");
    }

    @Override
    public Set<Declaration> takes() {
      return new CsvFormat().takes();
    }

    @Override
    public boolean mayHaveTestPart() {
      return false;
    }

    @Override
    public FileRows read(Path path, DataOptions options) throws IOException {
      return new CsvFormat().read(path, options);
    }
  }
}
