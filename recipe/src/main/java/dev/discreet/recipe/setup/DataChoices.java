package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.train.PublicPrivateOverlap;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.Declaration;
import dev.discreet.data.TrainingRows;
import dev.discreet.data.format.ImageFolder;
import dev.discreet.data.format.ImageKind;
import dev.discreet.data.text.TextDialect;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.UnitSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What settings say about data. */
public final class DataChoices {
  /** What only opening reads, so that it has no effect on rows that are open already. */
  private static final Setting<?>[] OPENING = {
    DataSettings.TABLE,
    DataSettings.JOIN,
    DataSettings.QUERY,
    DataSettings.ROWS_WHERE,
    DataSettings.TABLE_COLUMNS,
    DataSettings.DRIVER,
    DataSettings.SHEET,
    DataSettings.LABELS,
    DataSettings.AS_IN,
    DataSettings.TEST_FOLDER,
    DataSettings.PUBLIC_TEST,
    DataSettings.TEST_SHARE,
    DataSettings.DATA_SEED,
    UnitSettings.UNIT_MAP,
    UnitSettings.PUBLIC_IDS,
    RunSettings.MASTER,
    RunSettings.SPARK_CONF
  };

  /** What public rows are opened by, so that they are like the private ones. */
  private static final Setting<?>[] BESIDE = {
    DataSettings.LABEL,
    DataSettings.BOUNDS,
    DataSettings.INPUT,
    DataSettings.CLASSES,
    DataSettings.MEAN,
    DataSettings.DEVIATION,
    DataSettings.DELIMITER,
    DataSettings.QUOTE,
    DataSettings.CHARSET,
    DataSettings.HEADER,
    DataSettings.DATA_DIR
  };

  private DataChoices() {}

  /** The name or path of data that are to be opened. */
  public static String name(EffectiveSettings choices) {
    return checkedName(choices.or(DataSettings.DATA));
  }

  /** Refuses to open what a run was given in Java: no file says where that came from. */
  public static String checkedName(String data) {
    Check.that(
        !isGivenInJava(data),
        "data",
        "a name or a path, or handed over in Java (Recipe.prepare(DataSet)), as the rows of this run"
            + " were",
        data);
    return data;
  }

  private static boolean isGivenInJava(String data) {
    return data.equals(DataSettings.GIVEN_IN_JAVA);
  }

  /** Whether rows were handed over in Java, and no setting says where they come from. */
  static boolean areGivenInJava(EffectiveSettings choices) {
    return isGivenInJava(choices.or(DataSettings.DATA));
  }

  /** Refuses settings of a cluster where no engine of one is asked for. */
  public static void refuseCluster(EffectiveSettings choices) {
    if (!choices.given().orDefault(RunSettings.ENGINE).equals("spark")) {
      choices.refuse("is for --engine spark", RunSettings.MASTER, RunSettings.SPARK_CONF);
    }
  }

  /**
   * Notes what the settings of a run declare about its data. Of rows that were handed over in Java,
   * it refuses what would have no effect, or would tell of files that nobody compared with them.
   *
   * @param owned whether the rows say whose each is; the setting then names the column that did
   */
  static void note(EffectiveSettings choices, boolean owned, Consumer<String> progress)
      throws IOException {
    if (!areGivenInJava(choices)) {
      options(choices, progress);
      return;
    }
    String opened = "is for data that are opened; these rows were given in Java";
    choices.refuse(opened, OPENING);
    if (!owned) {
      choices.refuse(opened, UnitSettings.UNIT_COLUMN);
    }
    if (!choices.isGiven(PretrainSettings.PRETRAIN_DATA)
        && !choices.isGiven(OptimizerSettings.PUBLIC_DATA)) {
      choices.refuse(
          "is for data that are opened; these rows were given in Java, and no public ones are"
              + " opened beside them",
          BESIDE);
    }
    declared(choices, progress);
  }

  /** What the settings declare about data in a file or folder. */
  public static DataOptions options(EffectiveSettings choices, Consumer<String> progress)
      throws IOException {
    return declared(choices, progress)
        .testShare(choices.or(DataSettings.TEST_SHARE))
        .seed(choices.or(DataSettings.DATA_SEED))
        .build();
  }

  private static DataOptions.Builder declared(EffectiveSettings choices, Consumer<String> progress)
      throws IOException {
    Optional<AsIn> other = asIn(choices);
    Optional<Shape> input = choices.get(DataSettings.INPUT);
    List<String> classes = choices.get(DataSettings.CLASSES).orElse(List.of());
    if (other.isPresent()) {
      // These are saved with the run, so that it can be repeated without that folder.
      ImageKind kind = other.get().kind();
      input = Optional.of(choices.or(DataSettings.INPUT, kind.input()));
      classes = choices.or(DataSettings.CLASSES, kind.classes().names());
    }
    DataOptions.Builder options =
        DataOptions.builder()
            .classes(classes)
            .progress(progress)
            .relation(PlanChoices.relation(choices))
            .asIn(other.map(AsIn::from).orElse(""))
            .dialect(dialect(choices));
    input.ifPresent(options::input);
    DatabaseChoices.of(choices).ifPresent(options::database);
    choices.get(DataSettings.SHEET).ifPresent(options::sheet);
    choices.get(DataSettings.LABELS).ifPresent(options::labels);
    label(choices).ifPresent(options::label);
    columns(choices).ifPresent(options::columns);
    choices.get(UnitSettings.UNIT_COLUMN).ifPresent(options::unit);
    choices.get(UnitSettings.UNIT_MAP).ifPresent(options::unitMap);
    choices.get(DataSettings.BOUNDS).ifPresent(options::bounds);
    choices.get(DataSettings.MEAN).ifPresent(options::mean);
    choices.get(DataSettings.DEVIATION).ifPresent(options::deviation);
    choices.get(DataSettings.PUBLIC_TEST).ifPresent(options::publicTest);
    choices.get(DataSettings.DATA_DIR).ifPresent(options::dataDir);
    choices.get(UnitSettings.PUBLIC_IDS).ifPresent(options::publicIds);
    choices.get(DataSettings.TEST_FOLDER).ifPresent(options::testFolder);
    return options;
  }

  /** The declared columns, each with what was declared of the missing cells of all. */
  public static Optional<List<String>> columns(EffectiveSettings choices) {
    Optional<List<String>> columns = choices.get(DataSettings.COLUMN);
    if (columns.isEmpty()) {
      choices.refuse("is for --column", DataSettings.MISSING, DataSettings.MISSING_CELLS);
      return columns;
    }
    Optional<String> missing = choices.get(DataSettings.MISSING);
    Optional<String> cells = choices.get(DataSettings.MISSING_CELLS);
    return columns.map(
        each -> each.stream().map(text -> ColumnSyntax.withMissing(text, missing, cells)).toList());
  }

  /** The declared label. Where it is missing, its row counts as zero, whatever inputs become. */
  private static Optional<String> label(EffectiveSettings choices) {
    Optional<String> cells =
        choices.isGiven(DataSettings.COLUMN)
            ? choices.get(DataSettings.MISSING_CELLS)
            : Optional.empty();
    return choices
        .get(DataSettings.LABEL)
        .map(text -> ColumnSyntax.withMissing(text, Optional.empty(), cells));
  }

  /** How tables are written that settings declare. */
  public static TextDialect dialect(EffectiveSettings choices) {
    TextDialect standard = TextDialect.STANDARD;
    TextDialect dialect =
        new TextDialect(
            choices.get(DataSettings.DELIMITER).orElse(standard.delimiter()),
            choices.get(DataSettings.QUOTE).orElse(standard.quote()),
            new NumberMarks(
                choices.get(DataSettings.DECIMAL).orElse(standard.numbers().decimal()),
                choices.get(DataSettings.THOUSANDS).orElse(standard.numbers().thousands())),
            choices.get(DataSettings.CHARSET).orElse(standard.charset()),
            List.of());
    return choices.get(DataSettings.HEADER).map(dialect::named).orElse(dialect);
  }

  /**
   * @param from where they come from, and why that may be told
   */
  private record AsIn(ImageKind kind, String from) {}

  /** The kind of images in the folder or run that --as-in names; empty without it. */
  private static Optional<AsIn> asIn(EffectiveSettings choices) throws IOException {
    Path path = choices.given().get(DataSettings.AS_IN).orElse(null);
    if (path == null) {
      return Optional.empty();
    }
    choices.refuse("is taken from --as-in", DataSettings.INPUT, DataSettings.CLASSES);
    Check.that(Files.exists(path), "as in", "a folder or zip that exists", path);
    if (!Files.exists(path.resolve(RunFiles.RESULT))) {
      String data = choices.given().orDefault(DataSettings.DATA);
      // A slip here would put the size and the classes of private images into every file.
      Check.that(
          !DataSets.takes(data).contains(Declaration.CLASSES)
              || !DataSets.overlap(Path.of(data), path),
          "as in",
          "other images than the private data's own",
          path);
      ImageKind kind = ImageFolder.kind(path);
      Check.that(
          kind.classes().names().stream().noneMatch(name -> name.contains("|")),
          "classes of " + path,
          "without |, which stands between names",
          kind.classes().names());
      return Optional.of(new AsIn(kind, path + ", declared public"));
    }
    ModelFolder run = ModelFolder.read(path);
    Check.that(run.task() instanceof Task.Classes, "as in", "a run that tells classes apart", path);
    ImageKind kind = new ImageKind(run.model().layout().input(), (Task.Classes) run.task());
    return Optional.of(new AsIn(kind, path + ", an earlier run"));
  }

  /**
   * Options for public rows beside the private ones. They are read in the same way, because one
   * network sees both, and because a row that is in both is found by its values.
   *
   * @param seed of a generated set
   */
  public static DataOptions beside(
      EffectiveSettings choices, String place, long seed, Consumer<String> progress)
      throws IOException {
    boolean given = areGivenInJava(choices);
    DataOptions own = given ? declared(choices, progress).build() : options(choices, progress);
    boolean named = DataSets.names().contains(place);
    // Those rows may have any scale, and on another one a row that is in both would not be found.
    Check.that(
        !given
            || !DataSets.takes(place).contains(Declaration.MEAN)
            || !own.mean().isEmpty()
            || !named && own.bounds().isPresent(),
        "mean and deviation",
        "those that the rows given in Java are normalised by (0 and 1 where they are not), for "
            + place
            + " is read in the same way",
        "none");
    boolean path = !DataSets.names().contains(choices.or(DataSettings.DATA));
    List<Double> mean = own.mean();
    List<Double> deviation = own.deviation();
    if (named) {
      // A named set has a scale of its own, private files have none; a generated one keeps its own.
      boolean scales = DataSets.takes(place).contains(Declaration.MEAN);
      int channels = scales ? DataSets.scale(place).mean().size() : 0;
      boolean plain = mean.isEmpty() && path;
      mean = channels == 0 ? List.of() : plain ? Collections.nCopies(channels, 0.0) : mean;
      deviation =
          channels == 0 ? List.of() : plain ? Collections.nCopies(channels, 1.0) : deviation;
    }
    DataOptions.Builder rows =
        DataOptions.builder()
            .mean(mean)
            .deviation(deviation)
            .testShare(named ? own.testShare() : 0)
            .seed(seed)
            .progress(progress);
    own.dataDir().ifPresent(rows::dataDir);
    if (!named) {
      own.label().ifPresent(rows::label);
      own.bounds().ifPresent(rows::bounds);
      own.input().ifPresent(rows::input);
      rows.columns(own.columns()).classes(own.classes()).dialect(own.dialect());
    }
    return rows.build();
  }

  /** Opens public rows. A row that does not fit is refused: to name it tells no secret. */
  public static DataSet openBeside(
      EffectiveSettings choices, String place, long seed, Consumer<String> progress)
      throws IOException {
    DataSet set = DataSets.open(place, beside(choices, place, seed, progress));
    if (set.misfits().count() > 0) {
      throw new IOException(set.misfits().first().get(0));
    }
    return set;
  }

  /** Refuses public examples that are private ones, unless declared to be other people's. */
  public static void refuseOverlap(
      EffectiveSettings choices, Examples known, Task task, TrainingRows data) {
    if (!choices.get(PrivacySettings.PUBLIC_ROWS_ARE_OTHER_PEOPLE).orElse(false)) {
      refuseOverlap(known, task, data);
    }
  }

  /** Refuses public examples that are among the private ones to train or to test on. */
  public static void refuseOverlap(Examples known, Task task, TrainingRows data) {
    // A person who is in both with another label is still in both.
    BiConsumer<Examples, PrivateData> refuse =
        task.equals(data.task())
            ? PublicPrivateOverlap::refuse
            : PublicPrivateOverlap::refuseInputs;
    refuse.accept(known, data.train());
    data.test().filter(part -> !part.isPublic()).ifPresent(part -> refuse.accept(known, part));
  }
}
