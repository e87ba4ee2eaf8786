package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.PublicApi;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.RunFolder;
import dev.discreet.recipe.RunToFolder;
import dev.discreet.recipe.StepCosts;
import dev.discreet.recipe.UnfinishedFolder;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.ValueType.Form;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.tune.TunePlan;
import dev.discreet.recipe.tune.TuneRun;
import dev.discreet.recipe.tune.TuneSection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.ParamPair;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.slf4j.LoggerFactory;

/**
 * Searches settings of a classifier or regressor, and pays for the search: its whole cost is
 * charged before its first run, and the model that it finds states that cost. It stands where
 * Spark's CrossValidator would.
 *
 * <p>Runs are scored on the estimator's {@code publicTest}. How many runs a random search has is a
 * secret that its cost rests on: Spark's UI and event log show jobs, and are for its operator
 * alone.
 *
 * <pre>{@code
 * DiscreetClassifier classifier = new DiscreetClassifier().setPublicTest("published").setEpsilon(3);
 * DiscreetTuner tuner =
 *     new DiscreetTuner(classifier)
 *         .setEstimatorParamMaps(
 *             new org.apache.spark.ml.param.ParamMap[] {
 *               new org.apache.spark.ml.param.ParamMap()
 *                   .put(classifier.param("learning-rate"), 0.5)
 *             })
 *         .setMean(5);
 * }</pre>
 */
@PublicApi
public final class DiscreetTuner extends Estimator<DiscreetModel> implements MLWritable {
  private static final long serialVersionUID = 1;
  private static final String ESTIMATOR = "estimator";

  private final String uid;
  private final StageParams params;
  private final DiscreetEstimator<?> estimator;
  private final Param<String> candidates;
  private final Param<String> search;
  private final Param<String> runs;
  private final Param<String> mean;
  private final Param<String> shape;
  private final Param<String> budget;

  /**
   * A search with a new name.
   *
   * @param estimator what is run, with the budget of the whole search
   */
  public DiscreetTuner(DiscreetEstimator<?> estimator) {
    this(Identifiable$.MODULE$.randomUID("discreetTuner"), estimator);
  }

  private DiscreetTuner(String uid, DiscreetEstimator<?> estimator) {
    this.uid = uid;
    this.estimator = estimator;
    this.params = new StageParams(this);
    candidates =
        params.text("candidates", "What is tried, one set of settings a line, as JSON objects.");
    search = params.text("search", "random (the default), or grid, which tries each once.");
    runs =
        params.text(
            "runs",
            "The law of how many runs a random search has: geometric (the default), logarithmic,"
                + " negative-binomial or poisson.");
    mean = params.text("mean", "How many runs a random search has on average. Default: 10.");
    shape = params.text("shape", "Of negative-binomial: its shape.");
    budget =
        params.text(
            "budget",
            "Whether the budget is that of the whole search, total (the default), or of each run.");
  }

  /**
   * What is tried: each a map of settings of the estimator.
   *
   * @param maps as ParamGridBuilder makes them
   * @return this tuner
   */
  public DiscreetTuner setEstimatorParamMaps(ParamMap[] maps) {
    List<String> lines = new ArrayList<>();
    for (ParamMap map : maps) {
      Map<String, Object> own = new LinkedHashMap<>();
      for (ParamPair<?> pair : scala.jdk.javaapi.CollectionConverters.asJava(map.toSeq())) {
        Check.that(
            pair.param() instanceof SettingParam,
            "parameter to search",
            "a setting of the estimator, as param(name) gives it",
            pair.param().name());
        SettingParam setting = (SettingParam) (Param<?>) pair.param();
        List<String> texts = setting.texts(pair.value());
        own.put(
            setting.setting().name(),
            setting.setting().type().form() == Form.REPEATED ? texts : texts.get(0));
      }
      lines.add(json(own));
    }
    set(candidates, String.join("\n", lines));
    return this;
  }

  private static String json(Object value) {
    try {
      return JsonNumbers.SHORTEST.asString(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * How it searches.
   *
   * @param name {@code random} or {@code grid}
   * @return this tuner
   */
  public DiscreetTuner setSearch(String name) {
    set(search, name);
    return this;
  }

  /**
   * The law of the number of runs.
   *
   * @param law {@code geometric}, {@code logarithmic}, {@code negative-binomial} or {@code poisson}
   * @return this tuner
   */
  public DiscreetTuner setRuns(String law) {
    set(runs, law);
    return this;
  }

  /**
   * How many runs a random search has on average.
   *
   * @param number above 1
   * @return this tuner
   */
  public DiscreetTuner setMean(double number) {
    set(mean, dev.discreet.accounting.Digits.exact(number));
    return this;
  }

  /**
   * The shape of a negative binomial number of runs.
   *
   * @param number above -1 and at most 1000
   * @return this tuner
   */
  public DiscreetTuner setShape(double number) {
    set(shape, dev.discreet.accounting.Digits.exact(number));
    return this;
  }

  /**
   * Whose the budget is.
   *
   * @param whose {@code total} or {@code each}
   * @return this tuner
   */
  public DiscreetTuner setBudget(String whose) {
    set(budget, whose);
    return this;
  }

  /** {@return what is run} */
  public DiscreetEstimator<?> estimator() {
    return estimator;
  }

  /** {@return the name of this stage, which no other has} */
  @Override
  public String uid() {
    return uid;
  }

  /** {@return all parameters, by their names} */
  @Override
  public Param<?>[] params() {
    return params.sorted();
  }

  /**
   * Refuses a frame that does not fit, and says what columns it would have afterwards.
   *
   * @param schema of the frame
   * @return the schema with the columns that are added
   */
  @Override
  public StructType transformSchema(StructType schema) {
    TuningRefusal.check("DiscreetTuner");
    return estimator.transformSchema(schema);
  }

  /** The section of a run file that would search the same. */
  private TuneSection section() {
    Check.that(
        isDefined(candidates), "candidates of DiscreetTuner", "set: what is to be tried", "none");
    StringBuilder yaml = new StringBuilder(RunFile.TUNE + ":\n");
    for (Param<String> each : List.of(search, runs, mean, shape, budget)) {
      if (isDefined(each)) {
        yaml.append("  ").append(each.name()).append(": ").append(json(getOrDefault(each)));
        yaml.append('\n');
      }
    }
    yaml.append("  candidates:\n");
    getOrDefault(candidates).lines().forEach(line -> yaml.append("  - ").append(line).append('\n'));
    return TuneSection.read(
        Path.of("DiscreetTuner"), RunFile.document("DiscreetTuner", yaml.toString()));
  }

  /**
   * Spends, and gives what was released.
   *
   * @param dataset the frame
   * @return the model, which says what it cost
   */
  @Override
  public DiscreetModel fit(Dataset<?> dataset) {
    Dataset<Row> frame = dataset.toDF();
    transformSchema(frame.schema());
    SparkSession.setActiveSession(frame.sparkSession());
    estimator.checkPublicTest();
    return FrameReading.of(() -> searched(frame));
  }

  private DiscreetModel searched(Dataset<Row> frame) {
    estimator.checkAccountSet(frame);
    try {
      TunePlan plan =
          TunePlan.of(
              estimator.data(frame, PayingAccount.of(estimator.settings(), "tune")), section());
      plan.checkRoom();
      DiscreetModel model = new DiscreetModel(estimator.uid(), searched(plan));
      return estimator.copyValues(model, ParamMap.empty()).setParent(this);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private ReleasedFiles searched(TunePlan plan) throws IOException {
    Optional<Path> out = estimator.settings().get(RunSettings.OUT);
    if (out.isEmpty()) {
      Path folder = Files.createTempDirectory("discreet-search");
      Path journal = folder.resolve("journal");
      try {
        return files(plan, journal, "");
      } finally {
        Files.deleteIfExists(journal);
        Files.deleteIfExists(folder);
      }
    }
    OutFolder folder = new OutFolder(out.get(), false).checked();
    return UnfinishedFolder.during(
        folder,
        RunToFolder.words(plan.cost()),
        plan.cost().delta(),
        line -> LoggerFactory.getLogger(DiscreetTuner.class).warn(line),
        journal -> {
          ReleasedFiles files = files(plan, journal, folder.path().toString());
          folder.write(files::writeTo);
          return files;
        });
  }

  private static ReleasedFiles files(TunePlan plan, Path journal, String folder) {
    TuneRun.Done done = new TuneRun(plan, line -> {}).run(journal, folder);
    TrainingSetup setup = plan.setups().get(done.candidate());
    return ReleasedFiles.of(
        new RunFolder(
                setup,
                done.winner(),
                StepCosts.allAtOnce(setup.plan(), plan.cost().epsilon()),
                done.thresholds(),
                done.account())
            ::writeTo);
  }

  /**
   * Refused: several fits to choose from are a search.
   *
   * @param dataset the frame
   * @param paramMaps the parameters of each fit
   * @return nothing
   */
  @Override
  public scala.collection.immutable.Seq<DiscreetModel> fit(
      Dataset<?> dataset, scala.collection.immutable.Seq<ParamMap> paramMaps) {
    throw TuningRefusal.refused("DiscreetTuner", paramMaps.size() + " maps of parameters");
  }

  /**
   * The same with other parameters.
   *
   * @param extra what is other
   * @return a copy; this stays as it is
   */
  @Override
  public DiscreetTuner copy(ParamMap extra) {
    return copyValues(new DiscreetTuner(uid, (DiscreetEstimator<?>) estimator.copy(extra)), extra);
  }

  /** {@return what saves it} */
  @Override
  public MLWriter write() {
    MLWriter own = new DefaultParamsWriter(this);
    MLWriter inner = estimator.write();
    return new MLWriter() {
      @Override
      public void saveImpl(String path) {
        try {
          own.session(sparkSession()).save(path);
          inner.session(sparkSession()).save(place(path));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private static String place(String path) {
    return new org.apache.hadoop.fs.Path(path, ESTIMATOR).toString();
  }

  /** {@return what reads a saved tuner} */
  public static MLReader<DiscreetTuner> read() {
    return new MLReader<>() {
      @Override
      public DiscreetTuner load(String path) {
        DefaultParamsReader.Metadata metadata =
            DefaultParamsReader.loadMetadata(path, sparkSession(), DiscreetTuner.class.getName());
        DiscreetEstimator<?> estimator =
            DefaultParamsReader.<DiscreetEstimator<?>>loadParamsInstance(
                place(path), sparkSession());
        DiscreetTuner tuner = new DiscreetTuner(metadata.uid(), estimator);
        metadata.getAndSetParams(tuner, scala.Option.empty());
        return tuner;
      }
    };
  }

  /**
   * Reads a saved tuner.
   *
   * @param path where it was saved
   * @return the tuner
   */
  public static DiscreetTuner load(String path) {
    return read().load(path);
  }
}
