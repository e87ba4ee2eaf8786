package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.nn.Shape;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    return with(relation, publicIds, testFolder, asIn);
  }

  /** These for images in such parts, and like others. */
  public DataOptions images(boolean testFolder, String asIn) {
    return with(relation, publicIds, testFolder, asIn);
  }

  private DataOptions with(
      Neighbouring relation, boolean publicIds, boolean testFolder, String asIn) {
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

  /**
   * Refuses what was declared and means nothing for this data. Passed over in silence it might be
   * what someone relies on, such as whose rows are one person's.
   *
   * @param allowed of labels, label, columns, unit, unit map, bounds, input, classes, test folder,
   *     mean, public test
   */
  public void allowOnly(Set<String> allowed, String data) {
    Map<String, Boolean> declared = new LinkedHashMap<>();
    declared.put("labels", labels.isPresent());
    declared.put("label", label.isPresent());
    declared.put("columns", !columns.isEmpty());
    declared.put("unit", unit.isPresent());
    declared.put("unit map", unitMap.isPresent());
    declared.put("bounds", bounds.isPresent());
    declared.put("input", input.isPresent());
    declared.put("classes", !classes.isEmpty());
    declared.put("test folder", testFolder);
    declared.put("mean", !mean.isEmpty());
    declared.put("public test", publicTest.isPresent());
    declared.forEach(
        (name, given) ->
            Check.that(
                !given || allowed.contains(name),
                name,
                "left out for " + data + ", which has no use for it",
                "given"));
  }

  /** Nothing declared. */
  public static DataOptions none() {
    return new DataOptions(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        0.2,
        Optional.empty(),
        0,
        line -> {});
  }

  /**
   * These for a set that is found by its name.
   *
   * @param dataDir where named sets lie; empty for the usual places
   * @param seed of a generated set
   */
  public static DataOptions named(Optional<Path> dataDir, long seed, Consumer<String> progress) {
    DataOptions none = none();
    return new DataOptions(
        none.labels,
        none.label,
        none.columns,
        none.unit,
        none.unitMap,
        none.bounds,
        none.input,
        none.classes,
        none.mean,
        none.deviation,
        none.publicTest,
        none.testShare,
        dataDir,
        seed,
        progress);
  }
}
