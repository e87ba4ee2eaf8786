package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.named.NamedSets;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataSetsTest {
  @TempDir Path folder;

  /** Options with some of them set. */
  private record Declared(
      Optional<Path> labels,
      Optional<String> label,
      List<String> columns,
      Optional<String> unit,
      Optional<String> bounds,
      Optional<Path> publicTest,
      double testShare) {
    static final Declared NONE =
        new Declared(
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0.2);

    Declared label(String text) {
      return new Declared(labels, Optional.of(text), columns, unit, bounds, publicTest, testShare);
    }

    Declared labels(Path path) {
      return new Declared(Optional.of(path), label, columns, unit, bounds, publicTest, testShare);
    }

    Declared columns(String... texts) {
      return new Declared(labels, label, List.of(texts), unit, bounds, publicTest, testShare);
    }

    Declared unit(String name) {
      return new Declared(labels, label, columns, Optional.of(name), bounds, publicTest, testShare);
    }

    Declared publicTest(Path path) {
      return new Declared(labels, label, columns, unit, bounds, Optional.of(path), testShare);
    }

    DataOptions options() {
      return builder().build();
    }

    DataOptions images(String... classes) {
      return builder().input(new Shape(4, 4, 3)).classes(List.of(classes)).build();
    }

    private DataOptions.Builder builder() {
      DataOptions.Builder options = DataOptions.builder().columns(columns).testShare(testShare);
      labels.ifPresent(options::labels);
      label.ifPresent(options::label);
      unit.ifPresent(options::unit);
      bounds.ifPresent(options::bounds);
      publicTest.ifPresent(options::publicTest);
      return options;
    }
  }

  private static final Declared TABLE =
      Declared.NONE.label("employed=0|1").columns("age=0..100", "sex=f|m");

  private DataSet open(Path path, Declared declared) throws IOException {
    return DataSets.open(path.toString(), declared.options());
  }

  private String refused(Path path, Declared declared) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> open(path, declared)).getMessage();
    assertEquals(1, message.lines().count(), message);
    return message;
  }

  private Path table(String name, int from, int to) throws IOException {
    StringBuilder text = new StringBuilder("person,age,sex,employed\n");
    for (int i = from; i < to; i++) {
      text.append("p" + i / 4 + "," + i % 90 + "," + (i % 2 == 0 ? "f" : "m") + "," + i % 2 + "\n");
    }
    return Files.writeString(folder.resolve(name), text);
  }

  private Path idx(String name, int[] dimensions, int length) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * dimensions.length + length);
    bytes.putInt(0x800 + dimensions.length);
    Arrays.stream(dimensions).forEach(bytes::putInt);
    for (int i = 0; i < length; i++) {
      bytes.put((byte) (i % 3));
    }
    return Files.write(path, bytes.array());
  }

  private Path image(String name) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB);
    image.setRGB(1, 1, name.hashCode());
    ImageIO.write(image, "png", path.toFile());
    return path;
  }

  @Test
  void rowsHeldOutOfAPrivateFileArePrivate() throws IOException {
    DataSet set = open(table("people.csv", 0, 400), TABLE);
    assertEquals("people.csv", set.name());
    assertEquals(new Task.Classes(List.of("0", "1")), set.task());
    assertEquals(Shape.vector(3), set.train().examples().input());
    assertFalse(set.train().isPublic());
    assertFalse(set.test().get().isPublic());
    assertEquals(400, set.train().examples().size() + set.test().get().examples().size());
    assertEquals(80, set.test().get().examples().size(), 40);
  }

  @Test
  void rowsOfOnePersonStayTogether() throws IOException {
    // A person's four rows have the same age, which no other person's have.
    StringBuilder text = new StringBuilder("person\tage\temployed\n");
    for (int i = 0; i < 400; i++) {
      text.append("p" + i % 100 + "\t" + i % 100 + "\t" + i % 2 + "\n");
    }
    Path path = Files.writeString(folder.resolve("people.tsv"), text);
    DataSet set = open(path, TABLE.columns("age=0..100").unit("person"));
    Set<Float> train = inputs(set.train());
    Set<Float> test = inputs(set.test().get());
    assertEquals(100, train.size() + test.size());
    assertTrue(train.stream().noneMatch(test::contains));
    assertEquals(train.size(), set.train().units().count());
    assertEquals(4, set.train().units().size(0));
  }

  private static Set<Float> inputs(DataSet.Part part) {
    Set<Float> inputs = new HashSet<>();
    float[] to = new float[part.examples().input().size()];
    for (int i = 0; i < part.examples().size(); i++) {
      part.examples().input(i, to, 0);
      inputs.add(to[0]);
    }
    return inputs;
  }

  @Test
  void aDeclaredPublicTestIsPublicAndNothingIsHeldOut() throws IOException {
    Path test = table("test.csv", 400, 420);
    DataSet set = open(table("people.csv", 0, 400), TABLE.publicTest(test));
    assertEquals(400, set.train().examples().size());
    assertFalse(set.train().isPublic());
    assertEquals(20, set.test().get().examples().size());
    assertTrue(set.test().get().isPublic());
  }

  @Test
  void aCopyOfThePrivateRowsIsNoPublicTest() throws IOException {
    Path people = table("people.csv", 0, 40);
    for (Path test : List.of(people, table("copy.csv", 0, 40))) {
      String message = refused(people, TABLE.publicTest(test));
      assertTrue(message.startsWith("public test must be other rows"), message);
    }
  }

  @Test
  void aPublicTestMustBeOfTheSameKind() throws IOException {
    Path people = table("people.csv", 0, 40);
    assertTrue(
        refused(people, TABLE.publicTest(folder.resolve("typo.csv")))
            .startsWith("public test must be a file or folder that exists"));
    for (String name :
        List.of("a/cat/1.png", "a/cat/2.png", "a/dog/1.png", "b/cat/1.png", "b/eel/1.png")) {
      image(name);
    }
    // Public images declare what the private ones are to be, and must fit what is declared.
    Path images = folder.resolve("a");
    Declared beside = Declared.NONE.publicTest(folder.resolve("b"));
    DataSet set = open(images, beside);
    assertEquals(new Task.Classes(List.of("cat", "eel")), set.task());
    assertEquals(3, set.train().units().count());
    assertEquals(2, set.train().examples().size());
    assertEquals(1, set.misfits().count());
    IOException misfit =
        assertThrows(
            IOException.class, () -> DataSets.open(images.toString(), beside.images("cat", "dog")));
    assertTrue(misfit.getMessage().contains("eel/1.png: must be in"), misfit.getMessage());
    assertEquals(
        "Input and classes were taken from " + folder.resolve("b") + ", declared public.",
        set.train().declared("image"));
    // A folder that has private images too declares nothing.
    String own = refused(images, Declared.NONE.publicTest(images));
    assertTrue(own.startsWith("input and classes must be declared"), own);
  }

  @Test
  void aFilesOwnTestPartIsPrivate() throws IOException {
    idx("set/train-images-idx3-ubyte", new int[] {6, 2, 2}, 24);
    idx("set/train-labels-idx1-ubyte", new int[] {6}, 6);
    idx("set/t10k-images-idx3-ubyte", new int[] {3, 2, 2}, 12);
    idx("set/t10k-labels-idx1-ubyte", new int[] {3}, 3);
    Declared declared = Declared.NONE.label("0|1|2");
    DataSet set = open(folder.resolve("set"), declared);
    assertEquals(6, set.train().examples().size());
    assertEquals(3, set.test().get().examples().size());
    assertFalse(set.test().get().isPublic());
    Path test = folder.resolve("set/t10k-images-idx3-ubyte");
    DataSet declaredPublic = open(folder.resolve("set"), declared.publicTest(test));
    assertTrue(declaredPublic.test().get().isPublic());
    assertEquals(3, declaredPublic.test().get().examples().size());
    DataSet file =
        open(
            folder.resolve("set/train-images-idx3-ubyte"),
            declared.labels(folder.resolve("set/train-labels-idx1-ubyte")).publicTest(test));
    assertEquals(6, file.train().examples().size());
    // The folder again: its own test part, and no row that is trained on.
    DataSet same = open(folder.resolve("set"), declared.publicTest(folder.resolve("set")));
    assertEquals(3, same.test().get().examples().size());
  }

  @Test
  void thePrivateRowsAreNoPublicTest() throws IOException {
    Path people = table("people.csv", 0, 40);
    Path again = folder.resolve("../" + folder.getFileName() + "/people.csv");
    assertTrue(
        refused(people, TABLE.publicTest(again)).startsWith("public test must be other rows"));
  }

  @Test
  void imagesInFoldersAreRead() throws IOException {
    for (String side : List.of("train", "test")) {
      for (int i = 0; i < 5; i++) {
        image("pets/" + side + "/cat/" + i + ".png");
        image("pets/" + side + "/dog/" + i + ".png");
      }
    }
    Path pets = folder.resolve("pets");
    DataOptions flat = Declared.NONE.images("dog", "cat");
    DataOptions parted = flat.images(true, "");
    DataSet set = DataSets.open(pets.toString(), parted);
    assertEquals(new Task.Classes(List.of("dog", "cat")), set.task());
    assertEquals(new Shape(4, 4, 3), set.train().examples().input());
    assertEquals(10, set.train().examples().size());
    assertFalse(set.test().get().isPublic());
    // A replaced image may lie in the other part.
    DataOptions replaced = parted.under(Neighbouring.REPLACE_ONE, false);
    String line =
        assertThrows(IllegalArgumentException.class, () -> DataSets.open(pets.toString(), replaced))
            .getMessage();
    assertTrue(line.startsWith("test folder must be left out under replace-one"), line);
    // Not declared, all are of one part, and none fits.
    assertEquals(20, DataSets.open(pets.toString(), flat).misfits().count());
  }

  @Test
  void whatWouldBePassedOverIsRefused() throws IOException {
    image("pets/cat/1.png");
    image("pets/dog/1.png");
    assertTrue(
        refused(folder.resolve("pets"), Declared.NONE.unit("person"))
            .startsWith("unit must be left out for "));
    assertThrows(
        IllegalArgumentException.class,
        () -> DataSets.open("mnist", Declared.NONE.unit("person").options()));
    assertThrows(IllegalArgumentException.class, () -> DataSets.open("digits", TABLE.options()));
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    Path people = table("people.csv", 0, 40);
    assertTrue(
        refused(people, Declared.NONE.columns("age=0..100")).startsWith("label must be declared"));
    assertTrue(
        refused(people, Declared.NONE.label("employed=0|1"))
            .startsWith("columns must be declared for "));
    Path strange = Files.writeString(folder.resolve("notes.doc"), "hello");
    assertTrue(refused(strange, Declared.NONE.label("0|1")).contains("notes.doc is none of these"));
    assertTrue(refused(table("one.csv", 0, 1), TABLE).contains("too few"));
    image("pets/cat/1.png");
    image("pets/dog/1.png");
    String undeclared = refused(folder.resolve("pets"), Declared.NONE);
    assertTrue(undeclared.startsWith("input and classes must be declared"), undeclared);
    assertTrue(undeclared.contains("--input HxWxC and --classes A|B, or --as-in"), undeclared);
  }

  @ParameterizedTest
  @CsvSource({
    "minst, mnist",
    "MNIST, mnist",
    "fashion_mnist, fashion-mnist",
    "cifar-10, cifar10",
    "pums-employement, pums-employment",
    "digit, digits"
  })
  void aMistypedNameIsRecognised(String typed, String meant) {
    String message = refused(Path.of(typed), Declared.NONE);
    assertTrue(message.startsWith("data must be one of mnist, fashion-mnist, "), message);
    assertTrue(message.contains("a path: "), message);
    assertTrue(
        message.endsWith("Provided value: " + typed + "; did you mean " + meant + "?"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nofile.csv", "no/mnist", "x.NPY", "x.tsv.gz", "x.zip", "t10k-images-idx3-ubyte"})
  void aPathThatIsNotThereIsNotTakenForAName(String typed) {
    assertEquals(
        "data must be a file or folder that exists. Provided value: " + typed,
        refused(Path.of(typed), Declared.NONE));
  }

  @Test
  void whatIsFarFromEveryNameGetsNoHint() {
    assertTrue(refused(Path.of("patients"), Declared.NONE).endsWith("Provided value: patients"));
    assertThrows(IllegalArgumentException.class, () -> DataSets.open("", DataOptions.none()));
    assertThrows(IllegalArgumentException.class, () -> DataSets.open("a\0b", DataOptions.none()));
  }

  @Test
  void generatedSetsHaveNames() throws IOException {
    DataSet set = DataSets.open("linear-1d", DataOptions.none());
    assertEquals("linear-1d", set.name());
    assertFalse(set.train().isPublic());
    assertTrue(set.test().get().isPublic());
    assertThrows(
        IllegalArgumentException.class, () -> NamedSets.fetch("linear-1d", DataOptions.none()));
  }

  @Test
  void everyNameIsDescribed() {
    List<DataDescription> all = DataSets.list(DataOptions.none());
    assertEquals(DataSets.names(), all.stream().map(DataDescription::name).toList());
    assertTrue(all.stream().allMatch(DataDescription::isPublic));
    String text = DataSets.describe("cifar10", DataOptions.none()).text();
    for (String fact :
        List.of(
            "50,000 to train on, 10,000 to test on",
            "32x32x3",
            "airplane, automobile",
            "0.4914, 0.4822, 0.4465",
            "Krizhevsky",
            "where: ")) {
      assertTrue(text.contains(fact), text);
    }
  }

  @Test
  void ofAPrivateFileOnlyDeclarationsAreTold() throws IOException {
    Path people = table("people.csv", 0, 37);
    Declared declared = TABLE.unit("person");
    DataDescription before = DataSets.describe(people.toString(), declared.options());
    assertFalse(before.isPublic());
    assertEquals("employed=0|1", before.facts().get("label"));
    assertEquals("age=0..100, sex=f|m", before.facts().get("columns"));
    // Whatever the file holds, the description is the same.
    Files.writeString(people, "not even a table");
    assertEquals(before, DataSets.describe(people.toString(), declared.options()));
    assertThrows(
        IllegalArgumentException.class, () -> DataSets.describe(people + "x", declared.options()));
  }

  @Test
  void namesAreDistinct() {
    assertEquals(DataSets.names().size(), Stream.of(DataSets.names().toArray()).distinct().count());
  }
}
