package dev.discreet.data.named;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Split;
import dev.discreet.data.format.Cifar;
import dev.discreet.data.format.Idx;
import dev.discreet.data.format.ImageFolder;
import dev.discreet.data.format.ImageKind;
import dev.discreet.data.rows.ByteImages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds, fetches and reads the sets that have a name. */
public final class NamedSets {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final LocalCopies store;
  private final DataOptions options;

  private NamedSets(DataOptions options) {
    this.store =
        new LocalCopies(DataFolders.of(options), new FileFetcher(options.progress(), PATIENCE));
    this.options = options;
  }

  public static List<NamedSet> all() {
    return Catalogue.sets();
  }

  /** The set of that name. */
  static Optional<NamedSet> find(String name) {
    return all().stream().filter(set -> set.name().equals(name)).findFirst();
  }

  /** Where a copy lies, as far as names tell; empty where it must be fetched. */
  static Optional<Path> where(NamedSet set, DataOptions options) {
    NamedSets sets = new NamedSets(options);
    return sets.copies(set).map(copies -> copies.get(0).path().getParent());
  }

  /** Whether the files that are here are JPEG copies, and not the official ones. */
  public static boolean isCopied(String name, DataOptions options) {
    NamedSets sets = new NamedSets(options);
    return find(name).flatMap(sets::copies).filter(NamedSets::isJpeg).isPresent();
  }

  /** Its name in reports, which says so if the copy on this machine is not the official one. */
  static String title(NamedSet set, DataOptions options) {
    return new NamedSets(options).copies(set).map(all -> title(set, all)).orElse(set.title());
  }

  private static String title(NamedSet set, List<Copy> copies) {
    return isJpeg(copies) ? set.title() + " (JPEG copies)" : set.title();
  }

  private static boolean isJpeg(List<Copy> copies) {
    return copies.get(0).file().equals(Catalogue.cifarImages());
  }

  /** Makes sure that a set is here and genuine, and says in which folder. */
  public static Path fetch(String name, DataOptions options) throws IOException {
    List<String> names = all().stream().map(NamedSet::name).toList();
    Check.that(
        names.contains(name), "name of a set to fetch", "one of " + String.join(", ", names), name);
    return new NamedSets(options).checked(find(name).orElseThrow()).get(0).path().getParent();
  }

  /** Training rows are held private, test rows are public. */
  static DataSet open(NamedSet set, DataOptions options) throws IOException {
    return new NamedSets(options).read(set);
  }

  private record Copy(PublicFile file, Path path) {}

  private DataSet read(NamedSet set) throws IOException {
    PixelScale scale = options.mean().isEmpty() ? set.scale() : options.scale();
    List<Copy> copies = checked(set);
    Path first = copies.get(0).path();
    if (set.name().equals("cifar10")) {
      boolean batches = copies.size() > 1;
      FileRows parts =
          isJpeg(copies)
              ? ImageFolder.read(first, new ImageKind(set.shape(), set.task()), scale, true)
              : Cifar.read(batches ? first.getParent() : first, scale);
      Optional<DataSet.Part> test = Optional.empty();
      if (parts.test().isPresent()) {
        test = Optional.of(Split.whole(parts.test().get().fitting(), true));
      }
      return new DataSet(
              title(set, copies), set.task(), Split.whole(parts.train().fitting(), false), test)
          .published();
    }
    if (set.mean().isEmpty()) {
      return PumsEmploymentSet.read(set, first, options.relation());
    }
    return new DataSet(
            set.title(),
            set.task(),
            idx(set, first, copies.get(1).path(), scale, false),
            Optional.of(idx(set, copies.get(2).path(), copies.get(3).path(), scale, true)))
        .published();
  }

  /** Without the readers' checks: the hash says that all is as it should be. */
  private static DataSet.Part idx(
      NamedSet set, Path images, Path labels, PixelScale scale, boolean isPublic)
      throws IOException {
    byte[] classes = Idx.read(labels).values();
    ByteImages examples =
        new ByteImages(
            set.shape(),
            Idx.read(images).values(),
            classes,
            scale.mean().stream().mapToDouble(Double::doubleValue).toArray(),
            scale.deviation().stream().mapToDouble(Double::doubleValue).toArray());
    return new DataSet.Part(examples, Units.each(classes.length), isPublic);
  }

  /** The copies of all files that are needed, in the first data folder that has them all. */
  private Optional<List<Copy>> copies(NamedSet set) {
    for (Path root : store.places().roots()) {
      for (List<PublicFile> files : layouts(set)) {
        List<Copy> copies = new ArrayList<>();
        for (PublicFile file : files) {
          LocalCopies.find(root, set, file).ifPresent(path -> copies.add(new Copy(file, path)));
        }
        if (copies.size() == files.size()) {
          return Optional.of(copies);
        }
      }
    }
    return Optional.empty();
  }

  private static List<List<PublicFile>> layouts(NamedSet set) {
    return set.name().equals("cifar10")
        ? List.of(set.files(), Catalogue.cifarBatches(), List.of(Catalogue.cifarImages()))
        : List.of(set.files());
  }

  private List<Copy> checked(NamedSet set) throws IOException {
    List<Copy> checked = new ArrayList<>();
    Optional<List<Copy>> copies = copies(set);
    if (copies.isPresent()) {
      for (Copy copy : copies.get()) {
        checked.add(new Copy(copy.file(), copy.file().checked(copy.path())));
      }
      return checked;
    }
    for (PublicFile file : set.files()) {
      checked.add(new Copy(file, store.need(set, file)));
    }
    return checked;
  }
}
