package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.text.TextDialect;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a caller declares about data that has a path, or wants of data that has a name.
 *
 * <pre>{@code
 * DataOptions options =
 *     DataOptions.builder()
 *         .label("employed=0|1")
 *         .columns(List.of("age=0..120", "sex=male|female"))
 *         .unit("person")
 *         .build();
 * }</pre>
 *
 * @param labels the file of labels that belongs to an IDX or NumPy file of inputs
 * @param label of CSV: the column to predict, as a {@code Column} text: {@code employed=0|1} for
 *     classes, {@code income=0..200000} for a number in bounds. Of NumPy labels: the same without a
 *     name, {@code 0|1|2} or {@code 0..10}
 * @param columns of CSV: the columns to predict from, one {@code Column} text each: {@code
 *     age=0..120} (moved into the bounds, then to [0, 1]), {@code sex=male|female} (one-hot)
 * @param unit of CSV: the column whose values say which rows are one person's
 * @param unitMap a table that says whose each example is, where no column does ({@code UnitMap})
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
 * @param database which rows of a database are read, or which files are joined
 * @param asIn of images in folders: where input and classes were taken from and why that may be
 *     told, as words that follow "taken from"; empty where they were declared
 * @param dialect how a table is written as text
 * @param sheet the name of a workbook's sheet; empty for its only one
 */
@PublicApi
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
    Optional<DatabaseSelection> database,
    String asIn,
    TextDialect dialect,
    Optional<String> sheet) {

  /** How much of a private file is held out unless told otherwise. */
  public static final double TEST_SHARE = 0.2;

  /** Copies the lists, and refuses what does not go together. */
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

  /**
   * These options under another relation.
   *
   * @param relation which files are neighbours
   * @param publicIds whether the set of the units' ids is declared public
   * @return with all else as it was
   */
  public DataOptions under(Neighbouring relation, boolean publicIds) {
    return new Builder(this).relation(relation).publicIds(publicIds).build();
  }

  /**
   * These options for images.
   *
   * @param testFolder whether {@code train/} and {@code test/} are parts
   * @param asIn where input and classes were taken from; empty where they were declared
   * @return with all else as it was
   */
  public DataOptions images(boolean testFolder, String asIn) {
    return new Builder(this).testFolder(testFolder).asIn(asIn).build();
  }

  /**
   * These options with the input and the classes of other images.
   *
   * @param input their height, width and channels
   * @param classes their classes
   * @param asIn where they lie, and why that may be told
   * @return with all else as it was
   */
  public DataOptions imagesAsIn(Shape input, List<String> classes, String asIn) {
    return new Builder(this).input(input).classes(classes).asIn(asIn).build();
  }

  /** These options for public rows: one file or folder, with its labels in it or beside it. */
  DataOptions ofPublicRows() {
    Builder without = new Builder(this);
    without.labels = Optional.empty();
    without.database = Optional.empty();
    return without.build();
  }

  /**
   * What images are normalised by.
   *
   * @return {@link PixelScale#NONE} where nothing was declared
   */
  public PixelScale scale() {
    return mean.isEmpty() ? PixelScale.NONE : new PixelScale(mean, deviation);
  }

  /**
   * Refuses a selection of rows, such as a join, for data that can have none.
   *
   * @param allowed what the data take
   * @param data as a message names them
   */
  void checkDatabase(Set<Declaration> allowed, String data) {
    Check.that(
        database.isEmpty() || allowed.contains(Declaration.DATABASE),
        Declaration.DATABASE.label(),
        "left out for "
            + data
            + " (tables of a database and .parquet files can be joined: their columns have types,"
            + " which of text would be guessed from rows, so that one could change others)",
        "given");
  }

  /**
   * Refuses what was declared and means nothing for this data. Passed over in silence it might be
   * what someone relies on, such as whose rows are one person's.
   *
   * @param allowed what the data take
   * @param data as a message names them
   */
  void allowOnly(Set<Declaration> allowed, String data) {
    checkDatabase(allowed, data);
    for (Declaration each : Declaration.values()) {
      Check.that(
          allowed.contains(each) || !each.isGiven(this),
          each.label(),
          "left out for " + data + ", which has no use for it",
          "given");
    }
  }

  /**
   * Nothing declared.
   *
   * @return options that fit every set that has a name
   */
  public static DataOptions none() {
    return builder().build();
  }

  /**
   * To declare one thing after the other.
   *
   * @return one with nothing declared
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Options for a set that is found by its name.
   *
   * @param dataDir where named sets lie; empty for the usual places
   * @param seed of a generated set
   * @param progress hears a line now and then while something is fetched
   * @return with nothing else declared
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
    private double testShare = TEST_SHARE;
    private Optional<Path> dataDir = Optional.empty();
    private long seed;
    private Consumer<String> progress = line -> {};
    private Neighbouring relation = Neighbouring.ADD_REMOVE;
    private boolean publicIds;
    private boolean testFolder;
    private Optional<DatabaseSelection> database = Optional.empty();
    private String asIn = "";
    private TextDialect dialect = TextDialect.STANDARD;
    private Optional<String> sheet = Optional.empty();

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
      database = from.database;
      asIn = from.asIn;
      dialect = from.dialect;
      sheet = from.sheet;
    }

    /**
     * Sets {@link DataOptions#labels()}.
     *
     * @param labels the file of labels that belongs to a file of inputs
     * @return this
     */
    public Builder labels(Path labels) {
      this.labels = Optional.of(labels);
      return this;
    }

    /**
     * Sets {@link DataOptions#label()}.
     *
     * @param label the column or the values to predict
     * @return this
     */
    public Builder label(String label) {
      this.label = Optional.of(label);
      return this;
    }

    /**
     * Sets {@link DataOptions#columns()}.
     *
     * @param columns the columns to predict from
     * @return this
     */
    public Builder columns(List<String> columns) {
      this.columns = columns;
      return this;
    }

    /**
     * Sets {@link DataOptions#unit()}.
     *
     * @param unit the column that says which rows are one person's
     * @return this
     */
    public Builder unit(String unit) {
      this.unit = Optional.of(unit);
      return this;
    }

    /**
     * Sets {@link DataOptions#unitMap()}.
     *
     * @param unitMap a table that says whose each example is
     * @return this
     */
    public Builder unitMap(Path unitMap) {
      this.unitMap = Optional.of(unitMap);
      return this;
    }

    /**
     * Sets {@link DataOptions#bounds()}.
     *
     * @param bounds of inputs that are plain numbers
     * @return this
     */
    public Builder bounds(String bounds) {
      this.bounds = Optional.of(bounds);
      return this;
    }

    /**
     * Sets {@link DataOptions#input()}.
     *
     * @param input height, width and channels of images
     * @return this
     */
    public Builder input(Shape input) {
      this.input = Optional.of(input);
      return this;
    }

    /**
     * Sets {@link DataOptions#classes()}.
     *
     * @param classes the names of the folders of images
     * @return this
     */
    public Builder classes(List<String> classes) {
      this.classes = classes;
      return this;
    }

    /**
     * Sets {@link DataOptions#mean()}.
     *
     * @param mean to normalise images by, one a channel
     * @return this
     */
    public Builder mean(List<Double> mean) {
      this.mean = mean;
      return this;
    }

    /**
     * Sets {@link DataOptions#deviation()}.
     *
     * @param deviation beside the mean
     * @return this
     */
    public Builder deviation(List<Double> deviation) {
      this.deviation = deviation;
      return this;
    }

    /**
     * Sets {@link DataOptions#publicTest()}.
     *
     * @param publicTest a file or folder of public rows
     * @return this
     */
    public Builder publicTest(Path publicTest) {
      this.publicTest = Optional.of(publicTest);
      return this;
    }

    /**
     * Sets {@link DataOptions#testShare()}.
     *
     * @param testShare how much of a private file is held out, in [0, 1)
     * @return this
     */
    public Builder testShare(double testShare) {
      this.testShare = testShare;
      return this;
    }

    /**
     * Sets {@link DataOptions#dataDir()}.
     *
     * @param dataDir where named sets lie
     * @return this
     */
    public Builder dataDir(Path dataDir) {
      this.dataDir = Optional.of(dataDir);
      return this;
    }

    /**
     * Sets {@link DataOptions#seed()}.
     *
     * @param seed of generated sets
     * @return this
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets {@link DataOptions#progress()}.
     *
     * @param progress hears a line now and then while something is fetched
     * @return this
     */
    public Builder progress(Consumer<String> progress) {
      this.progress = progress;
      return this;
    }

    /**
     * Sets {@link DataOptions#relation()}.
     *
     * @param relation which files are neighbours
     * @return this
     */
    public Builder relation(Neighbouring relation) {
      this.relation = relation;
      return this;
    }

    /**
     * Sets {@link DataOptions#publicIds()}.
     *
     * @param publicIds whether the set of the units' ids is public
     * @return this
     */
    public Builder publicIds(boolean publicIds) {
      this.publicIds = publicIds;
      return this;
    }

    /**
     * Sets {@link DataOptions#testFolder()}.
     *
     * @param testFolder whether {@code train/} and {@code test/} are parts
     * @return this
     */
    public Builder testFolder(boolean testFolder) {
      this.testFolder = testFolder;
      return this;
    }

    /**
     * Sets {@link DataOptions#database()}.
     *
     * @param database which rows of a database are read
     * @return this
     */
    public Builder database(DatabaseSelection database) {
      this.database = Optional.of(database);
      return this;
    }

    /**
     * Sets {@link DataOptions#asIn()}.
     *
     * @param asIn where input and classes were taken from
     * @return this
     */
    public Builder asIn(String asIn) {
      this.asIn = asIn;
      return this;
    }

    /**
     * Sets {@link DataOptions#dialect()}.
     *
     * @param dialect how a table is written as text
     * @return this
     */
    public Builder dialect(TextDialect dialect) {
      this.dialect = dialect;
      return this;
    }

    /**
     * Sets {@link DataOptions#sheet()}.
     *
     * @param sheet the name of a workbook's sheet
     * @return this
     */
    public Builder sheet(String sheet) {
      this.sheet = Optional.of(sheet);
      return this;
    }

    /**
     * The options.
     *
     * @return what was set, and nothing else declared
     */
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
          database,
          asIn,
          dialect,
          sheet);
    }
  }
}
