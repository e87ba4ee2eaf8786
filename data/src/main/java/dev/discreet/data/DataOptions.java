package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.nn.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a caller declares about data that has a path, or wants of data that has a name.
 *
 * @param labels the file of labels that belongs to an IDX or NumPy file of inputs
 * @param label of CSV: the column to predict, as a {@code Column} text: {@code employed=0|1} for
 *     classes, {@code income=0..200000} for a number in bounds. Of NumPy labels: the same without a
 *     name, {@code 0|1|2} or {@code 0..10}
 * @param columns of CSV: the columns to predict from, one {@code Column} text each: {@code
 *     age=0..120} (moved into the bounds, then to [0, 1]), {@code sex=male|female} (one-hot)
 * @param unit of CSV: the column whose values say which rows are one person's
 * @param unitMap a table of whose each example is, where no column says it ({@code UnitMap})
 * @param bounds of inputs that are plain numbers (NumPy): {@code LOW..HIGH}
 * @param input of images in folders: height, width and channels, 1 for grey or 3 for colours
 * @param classes of images in folders: the names of the folders, in the order of the model's
 *     outputs
 * @param mean public figures to normalise images by, one a channel; empty for those of a named set,
 *     or for (0, 1) elsewhere
 * @param deviation beside the mean
 * @param publicTest a file or folder of rows that the caller declares public
 * @param testShare how much of a private file is held out to test on, in [0, 1)
 * @param dataDir where named sets lie; else the environment's DISCREET_DATA, else a cache folder
 * @param seed of generated sets
 * @param progress hears a line now and then while something is fetched; for the operator
 * @param relation which files are neighbours: it decides how rows are held out ({@link Split})
 * @param publicIds whether the set of the units' ids, as the unit column or map has them, is
 *     declared public
 * @param testFolder of images in folders: whether {@code train/} and {@code test/} are parts
 * @param asIn of images in folders: what input and classes were taken from and why it may be told,
 *     to go on after "taken from"; empty where they were declared
 */
public record DataOptions(
    Optional<Path> labels,
    Optional<String> label,
    List<String> columns,
    Optional<String> unit,
    Optional<Path> unitMap,
    Optional<String> bounds,
    Optional<Shape> input,
    List<String> classes,
    List<Double> mean,
    List<Double> deviation,
    Optional<Path> publicTest,
    double testShare,
    Optional<Path> dataDir,
    long seed,
    Consumer<String> progress,
    Neighbouring relation,
    boolean publicIds,
    boolean testFolder,
    String asIn) {

  public DataOptions {
    columns = List.copyOf(columns);
    classes = List.copyOf(classes);
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    Check.that(testShare >= 0 && testShare < 1, "test share", "in [0, 1)", testShare);
    Check.that(
        unit.isEmpty() || unitMap.isEmpty(),
        "unit map",
        "left out beside a unit column, which says whose each row is",
        unitMap.orElse(null));
    Check.that(
        !publicIds || unit.isPresent() || unitMap.isPresent(),
        "public ids",
        "declared beside a unit column or a unit map, which have the ids",
        "neither");
    Check.that(
        mean.size() == deviation.size(),
        "mean and deviation",
        "given together, one a channel",
        mean.size() + " and " + deviation.size());
  }

  /** Under add/remove, with ids that are nobody's to know. */
  public DataOptions(
      Optional<Path> labels,
      Optional<String> label,
      List<String> columns,
      Optional<String> unit,
      Optional<Path> unitMap,
      Optional<String> bounds,
      Optional<Shape> input,
      List<String> classes,
      List<Double> mean,
      List<Double> deviation,
      Optional<Path> publicTest,
      double testShare,
      Optional<Path> dataDir,
      long seed,
      Consumer<String> progress) {
    this(
        labels,
        label,
        columns,
        unit,
        unitMap,
        bounds,
        input,
        classes,
        mean,
        deviation,
        publicTest,
        testShare,
        dataDir,
        seed,
        progress,
        Neighbouring.ADD_REMOVE,
        false,
        false,
        "");
  }

  /** These under another relation. */
  public DataOptions under(Neighbouring relation, boolean publicIds) {
    return new Builder(this).relation(relation).publicIds(publicIds).build();
  }

  /** These for images in such parts, and like others. */
  public DataOptions images(boolean testFolder, String asIn) {
    return new Builder(this).testFolder(testFolder).asIn(asIn).build();
  }

  /** These with the input and the classes of other images. */
  public DataOptions imagesAsIn(Shape input, List<String> classes, String asIn) {
    return new Builder(this).input(input).classes(classes).asIn(asIn).build();
  }

  /** These for a file that has labels of its own, or has them beside it. */
  DataOptions withoutLabels() {
    Builder without = new Builder(this);
    without.labels = Optional.empty();
    return without.build();
  }

  /** What images are normalised by. */
  public PixelScale scale() {
    return mean.isEmpty() ? PixelScale.NONE : new PixelScale(mean, deviation);
  }

  /**
   * Refuses what was declared and means nothing for this data. Passed over in silence it might be
   * what someone relies on, such as whose rows are one person's.
   *
   * @param allowed what the data take
   * @param data as a message names them
   */
  void allowOnly(Set<Declaration> allowed, String data) {
    for (Declaration each : Declaration.values()) {
      Check.that(
          allowed.contains(each) || !each.isGiven(this),
          each.label(),
          "left out for " + data + ", which has no use for it",
          "given");
    }
  }

  /** Nothing declared. */
  public static DataOptions none() {
    return builder().build();
  }

  /** To declare one thing after the other. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * These for a set that is found by its name.
   *
   * @param dataDir where named sets lie; empty for the usual places
   * @param seed of a generated set
   */
  public static DataOptions named(Optional<Path> dataDir, long seed, Consumer<String> progress) {
    Builder named = builder().seed(seed).progress(progress);
    dataDir.ifPresent(named::dataDir);
    return named.build();
  }

  /** Options one by one; what is not set is not declared. Their meaning is that of the record. */
  public static final class Builder {
    private Optional<Path> labels = Optional.empty();
    private Optional<String> label = Optional.empty();
    private List<String> columns = List.of();
    private Optional<String> unit = Optional.empty();
    private Optional<Path> unitMap = Optional.empty();
    private Optional<String> bounds = Optional.empty();
    private Optional<Shape> input = Optional.empty();
    private List<String> classes = List.of();
    private List<Double> mean = List.of();
    private List<Double> deviation = List.of();
    private Optional<Path> publicTest = Optional.empty();
    private double testShare = 0.2;
    private Optional<Path> dataDir = Optional.empty();
    private long seed;
    private Consumer<String> progress = line -> {};
    private Neighbouring relation = Neighbouring.ADD_REMOVE;
    private boolean publicIds;
    private boolean testFolder;
    private String asIn = "";

    private Builder() {}

    private Builder(DataOptions from) {
      labels = from.labels;
      label = from.label;
      columns = from.columns;
      unit = from.unit;
      unitMap = from.unitMap;
      bounds = from.bounds;
      input = from.input;
      classes = from.classes;
      mean = from.mean;
      deviation = from.deviation;
      publicTest = from.publicTest;
      testShare = from.testShare;
      dataDir = from.dataDir;
      seed = from.seed;
      progress = from.progress;
      relation = from.relation;
      publicIds = from.publicIds;
      testFolder = from.testFolder;
      asIn = from.asIn;
    }

    public Builder labels(Path labels) {
      this.labels = Optional.of(labels);
      return this;
    }

    public Builder label(String label) {
      this.label = Optional.of(label);
      return this;
    }

    public Builder columns(List<String> columns) {
      this.columns = columns;
      return this;
    }

    public Builder unit(String unit) {
      this.unit = Optional.of(unit);
      return this;
    }

    public Builder unitMap(Path unitMap) {
      this.unitMap = Optional.of(unitMap);
      return this;
    }

    public Builder bounds(String bounds) {
      this.bounds = Optional.of(bounds);
      return this;
    }

    public Builder input(Shape input) {
      this.input = Optional.of(input);
      return this;
    }

    public Builder classes(List<String> classes) {
      this.classes = classes;
      return this;
    }

    public Builder mean(List<Double> mean) {
      this.mean = mean;
      return this;
    }

    public Builder deviation(List<Double> deviation) {
      this.deviation = deviation;
      return this;
    }

    public Builder publicTest(Path publicTest) {
      this.publicTest = Optional.of(publicTest);
      return this;
    }

    public Builder testShare(double testShare) {
      this.testShare = testShare;
      return this;
    }

    public Builder dataDir(Path dataDir) {
      this.dataDir = Optional.of(dataDir);
      return this;
    }

    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    public Builder progress(Consumer<String> progress) {
      this.progress = progress;
      return this;
    }

    public Builder relation(Neighbouring relation) {
      this.relation = relation;
      return this;
    }

    public Builder publicIds(boolean publicIds) {
      this.publicIds = publicIds;
      return this;
    }

    public Builder testFolder(boolean testFolder) {
      this.testFolder = testFolder;
      return this;
    }

    public Builder asIn(String asIn) {
      this.asIn = asIn;
      return this;
    }

    public DataOptions build() {
      return new DataOptions(
          labels,
          label,
          columns,
          unit,
          unitMap,
          bounds,
          input,
          classes,
          mean,
          deviation,
          publicTest,
          testShare,
          dataDir,
          seed,
          progress,
          relation,
          publicIds,
          testFolder,
          asIn);
    }
  }
}
