package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Misfits;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.FinishedRun;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RecipeData;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.spark.FrameRows;
import dev.discreet.spark.RowValues;
import dev.discreet.spark.SparkData;
import dev.discreet.spark.SparkEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import org.slf4j.LoggerFactory;

/**
 * Trains a network on a frame: an ordinary run, whose rows are on the cluster. It has a parameter
 * for each of the run's settings that makes sense on a frame.
 *
 * <pre>{@code
 * DiscreetEstimator<?> stage = new DiscreetRegressor().setLotSize(600).setting("weight-decay", 1e-4);
 * }</pre>
 *
 * @param <S> the stage itself
 */
@PublicApi
public abstract class DiscreetEstimator<S extends DiscreetEstimator<S>>
    extends PrivateStage<DiscreetModel, S> {
  private static final long serialVersionUID = 1;

  /** Of data, only what public rows beside the frame are opened by. */
  private static final Set<Setting<?>> BESIDE =
      Set.of(DataSettings.MEAN, DataSettings.DEVIATION, DataSettings.DATA_DIR);

  /**
   * Settings that a frame decides, that need rows on this machine, or that no file may decide: a
   * saved stage is a file.
   */
  private static final Set<Setting<?>> NOT_HERE =
      Set.of(
          RunSettings.ENGINE,
          RunSettings.WATCH_PRIVATE,
          UnitSettings.ONE_ROW_EACH,
          PrivacySettings.PASS_OVER_ACCOUNT,
          PrivacySettings.BREAK_ACCOUNT);

  private static final List<Setting<?>> SETTINGS =
      Settings.ALL.stream()
          .filter(
              each ->
                  each.group() != Group.CALL
                      && each.group() != Group.REGRESSION
                      && (each.group() != Group.DATA || BESIDE.contains(each))
                      && !NOT_HERE.contains(each)
                      && !PrivacySettings.OF_HELD_OUT_ROWS.contains(each))
          .toList();

  private final Param<String> featuresCol;
  private final Param<String> labelCol;
  private final Param<String> predictionCol;
  private final Param<String> inputShape;
  private final Param<String> publicTest;
  private final Param<String> acceptMisfits;

  DiscreetEstimator(String uid) {
    super(uid, SETTINGS);
    featuresCol = text("featuresCol", "Vectors, arrays of float or double, or images.", "features");
    labelCol = text("labelCol", "What to predict.", "label");
    predictionCol = text("predictionCol", DiscreetModel.PREDICTION, "prediction");
    inputShape =
        text(
            "inputShape",
            "How many numbers an example has, declared: SIZE or HEIGHTxWIDTHxCHANNELS. Default:"
                + " as many as DeclaredScaler has bounds.");
    publicTest =
        text(
            "publicTest",
            "A table or view of rows to test on that you declare public: they come to the driver,"
                + " and their metrics go into files.");
    acceptMisfits =
        text(
            SettingParam.camel(CallSettings.ACCEPT_MISFITS.name()),
            "true to go on though over 1% of the rows do not fit what was declared; they count as"
                + " zero.",
            "false");
  }

  /** What is to be predicted: declared. */
  abstract Task task();

  final String label() {
    return getOrDefault(labelCol);
  }

  /**
   * The column of features.
   *
   * @param column the value to set
   * @return this stage
   */
  public S setFeaturesCol(String column) {
    return with(featuresCol, column);
  }

  /**
   * The column of what to predict.
   *
   * @param column the value to set
   * @return this stage
   */
  public S setLabelCol(String column) {
    return with(labelCol, column);
  }

  /**
   * The column that a model adds; empty for none.
   *
   * @param column the value to set
   * @return this stage
   */
  public S setPredictionCol(String column) {
    return with(predictionCol, column);
  }

  /**
   * How many numbers an example has: {@code 784} or {@code 28x28x1}.
   *
   * @param shape the value to set
   * @return this stage
   */
  public S setInputShape(String shape) {
    Shape.parse(shape);
    return with(inputShape, shape);
  }

  /**
   * A table or view of rows to test on that you declare public.
   *
   * @param table the value to set
   * @return this stage
   */
  public S setPublicTest(String table) {
    return with(publicTest, table);
  }

  /**
   * Whether to go on though over 1% of the rows do not fit.
   *
   * @param accept the value to set
   * @return this stage
   */
  public S setAcceptMisfits(boolean accept) {
    return with(acceptMisfits, Boolean.toString(accept));
  }

  /**
   * How often each unit is drawn on average.
   *
   * @param epochs the value to set
   * @return this stage
   */
  public S setEpochs(double epochs) {
    return setting(LotSettings.EPOCHS.name(), epochs);
  }

  /**
   * How many units a step draws on average.
   *
   * @param units the value to set
   * @return this stage
   */
  public S setLotSize(double units) {
    return setting(LotSettings.LOT_SIZE.name(), units);
  }

  /**
   * How long a unit's gradient may be.
   *
   * @param threshold the value to set
   * @return this stage
   */
  public S setClip(double threshold) {
    return setting(ClippingSettings.CLIP.name(), threshold);
  }

  /**
   * How far a step goes.
   *
   * @param rate the value to set
   * @return this stage
   */
  public S setLearningRate(double rate) {
    return setting(OptimizerSettings.LEARNING_RATE.name(), rate);
  }

  /**
   * What learns: {@code logistic}, {@code mlp(64)}, or layers.
   *
   * @param network the value to set
   * @return this stage
   */
  public S setModel(String network) {
    return setting(ModelSettings.MODEL.name(), network);
  }

  @Override
  StructType added(StructType schema) {
    FeatureReader.check(schema, getOrDefault(featuresCol));
    LabelReader.of(schema, label(), task());
    return DiscreetModel.added(
        schema, task(), getOrDefault(predictionCol), probabilities(), rawPredictions());
  }

  /** The column that a model of classes adds; empty for none. */
  String probabilities() {
    return "";
  }

  /** The column that a model of classes adds; empty for none. */
  String rawPredictions() {
    return "";
  }

  private FeatureReader features(StructType schema) {
    return FeatureReader.of(schema, getOrDefault(featuresCol), optional(inputShape));
  }

  @Override
  DiscreetModel fitted(Dataset<Row> frame) {
    try {
      FinishedRun run = data(frame, PayingAccount.of(settings(), "train")).prepare(quiet()).start();
      return new DiscreetModel(uid(), ReleasedFiles.of(run.files()::writeTo));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** The run's settings: those that are set, on the cluster. */
  final SettingValues settings() {
    return values().with(RunSettings.ENGINE, SparkEngine.NAME);
  }

  /** The run and its rows; nothing is spent yet. */
  final RecipeData data(Dataset<Row> frame, PayingAccount payer) throws IOException {
    FeatureReader features = features(frame.schema());
    LabelReader labels = LabelReader.of(frame.schema(), label(), task());
    RowValues values = row -> example(features, labels, row.get(1), row.get(2));
    SparkData rows =
        FrameRows.of(
            frame,
            unitColumn(),
            new String[] {getOrDefault(featuresCol), label()},
            features.shape(),
            1,
            values);
    TrainingRows all =
        new TrainingRows(
            "frame", task(), rows, tested(frame, features, labels), misfits(rows), false);
    return RecipeData.of(Recipe.of(settings()), all, quiet(), payer);
  }

  private static float[] example(
      FeatureReader features, LabelReader labels, Object inputs, Object label) {
    float[] read = features.read(inputs);
    float target = label == null ? Float.NaN : labels.of(label);
    if (read == null || Float.isNaN(target)) {
      return null;
    }
    float[] example = java.util.Arrays.copyOf(read, read.length + 1);
    example[read.length] = target;
    return example;
  }

  /** For the operator, who may have declared something wrong. */
  private static Misfits misfits(SparkData rows) {
    FrameRows.Fit fit = FrameRows.Fit.of(rows);
    return Misfits.counted(
        fit.misfits(),
        fit.rows(),
        List.of("a feature or label is missing, is no number, or is not as declared"));
  }

  /** Public rows may come here. */
  private Optional<DataSet.Part> tested(
      Dataset<Row> frame, FeatureReader features, LabelReader labels) {
    String table = optional(publicTest).orElse(null);
    if (table == null) {
      return Optional.empty();
    }
    Dataset<Row> known = frame.sparkSession().table(table);
    FeatureReader.of(
        known.schema(), getOrDefault(featuresCol), Optional.of(features.shape().toString()));
    LabelReader.of(known.schema(), label(), task());
    List<Row> rows =
        known
            .select(
                functions.col(FrameRows.quoted(getOrDefault(featuresCol))),
                functions.col(FrameRows.quoted(label())))
            .collectAsList();
    int size = features.shape().size();
    float[] inputs = new float[rows.size() * size];
    float[] targets = new float[rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      float[] example = example(features, labels, rows.get(i).get(0), rows.get(i).get(1));
      Check.that(example != null, "row of " + table, "as declared", "row " + i);
      System.arraycopy(example, 0, inputs, i * size, size);
      targets[i] = example[size];
    }
    return Optional.of(
        new DataSet.Part(
            Examples.of(features.shape(), inputs, 1, targets), Units.each(rows.size()), true));
  }

  /** A search compares models on rows whose scores cost nothing. */
  final void checkPublicTest() {
    required(publicTest, "set to a table of public rows, on which a search scores its runs");
  }

  final Preparation quiet() {
    boolean accepts = Boolean.parseBoolean(getOrDefault(acceptMisfits));
    return new Preparation() {
      @Override
      public void warning(String line) {
        LoggerFactory.getLogger(DiscreetEstimator.class).warn(line);
      }

      @Override
      public boolean acceptsMisfits() {
        return accepts;
      }
    };
  }
}
