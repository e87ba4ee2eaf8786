package dev.discreet.data.format;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataFormat;
import dev.discreet.data.DataFormats;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Images in a folder for each class, perhaps in a zip file. */
public final class ImageFolderFormat implements DataFormat {
  @Override
  public String label() {
    return "images in a folder for each class";
  }

  @Override
  public String paths() {
    return "a folder or .zip of CLASS/IMAGE files";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".zip");
  }

  /** Any folder may hold images: looking for them would be looking at private names. */
  @Override
  public Claim claim(Path path) {
    return Files.isDirectory(path) ? Claim.PERHAPS : DataFormat.super.claim(path);
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(
        Declaration.INPUT, Declaration.CLASSES, Declaration.TEST_FOLDER, Declaration.MEAN);
  }

  @Override
  public boolean mayHaveTestPart() {
    return false; // only where it was declared
  }

  /** A replaced image has another name, and by its name it might change sides. */
  @Override
  public void checkSplit(DataOptions options) {
    if (options.relation() != Neighbouring.REPLACE_ONE) {
      return;
    }
    Check.that(
        !options.testFolder(),
        "test folder",
        "left out under replace-one: a replaced image may lie in the other part (give the training"
            + " part alone, or take another relation)",
        "given");
    Check.that(
        options.testShare() == 0
            || options.unitMap().isPresent()
            || options.publicTest().isPresent(),
        "test share",
        "0 for images under replace-one: a replaced image has another name, and names are what puts"
            + " them in order (give rows to test on with --public-test, or take another relation)",
        options.testShare());
  }

  /** Input and classes as declared, or as the public test images have them. */
  @Override
  public DataOptions completed(Path path, DataOptions options) throws IOException {
    if (options.input().isPresent() && !options.classes().isEmpty()) {
      return options;
    }
    boolean neither = options.input().isEmpty() && options.classes().isEmpty();
    if (neither && hasPublicImages(path, options)) {
      Path test = options.publicTest().get();
      ImageKind kind = ImageFolder.kind(test);
      return options.imagesAsIn(kind.input(), kind.classes().names(), test + ", declared public");
    }
    throw new IllegalArgumentException(
        "input and classes must be declared for "
            + path
            + ", for no private image may decide them: --input HxWxC and --classes A|B, or --as-in"
            + " PATH, a folder of public images or an earlier run. Provided value: "
            + (neither ? "none" : "one of the two"));
  }

  /**
   * Whether there are public test images to take the declarations from. Not where private images
   * lie among them: those would decide too.
   */
  private static boolean hasPublicImages(Path path, DataOptions options) throws IOException {
    Path test = options.publicTest().orElse(null);
    return test != null
        && Files.exists(test)
        && DataFormats.of(test) instanceof ImageFolderFormat
        && !DataSets.overlap(path, test);
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    ImageKind declared =
        new ImageKind(options.input().orElseThrow(), new Task.Classes(options.classes()));
    return ImageFolder.read(path, declared, options.scale(), options.testFolder());
  }

  /**
   * Where nobody declared images, because the private rows are of another format, public images are
   * read as they are.
   */
  @Override
  public FileRows readPublic(Path path, DataOptions options) throws IOException {
    return options.input().isPresent()
        ? read(path, options)
        : ImageFolder.read(path, ImageFolder.kind(path), options.scale(), options.testFolder());
  }
}
