package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.algorithms.regression.FunctionalMechanism;
import dev.discreet.algorithms.regression.RegressionBounds;
import dev.discreet.algorithms.regression.RegressionBounds.Interval;
import dev.discreet.algorithms.regression.RegressionBudget;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.algorithms.regression.RegressionResult;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.spark.FrameRows;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/**
 * Linear or logistic regression by the functional mechanism: its sums are one aggregate over the
 * frame, and there is no iteration.
 *
 * <pre>{@code
 * FunctionalRegressionModel model =
 *     new FunctionalRegressionStage()
 *         .setPrivacyUnitCol("patient")
 *         .setFeatureBounds("0..120,0..300")
 *         .setLabelBounds("0..20")
 *         .setEpsilon(1)
 *         .setDelta(1e-6)
 *         .fit(org.apache.spark.sql.SparkSession.active().table("patients"));
 * }</pre>
 */
@PublicApi
public final class FunctionalRegressionStage
    extends PrivateStage<FunctionalRegressionModel, FunctionalRegressionStage> {
  private static final long serialVersionUID = 1;

  private final Param<String> featuresCol;
  private final Param<String> labelCol;
  private final Param<String> predictionCol;
  private final Param<String> inputShape;
  private final Param<String> featureBounds;
  private final Param<String> labelBounds;
  private final Param<String> loss;
  private final Param<String> noise;

  /** With a new name. */
  public FunctionalRegressionStage() {
    this(Identifiable$.MODULE$.randomUID("functionalRegression"));
  }

  /**
   * With this name.
   *
   * @param uid which no other stage has
   */
  public FunctionalRegressionStage(String uid) {
    super(uid, SPENDING);
    featuresCol = text("featuresCol", "Vectors, arrays of float or double, or images.", "features");
    labelCol = text("labelCol", "What to predict: a number; 0 or 1 for logistic.", "label");
    predictionCol = text("predictionCol", DiscreetModel.PREDICTION, "prediction");
    inputShape =
        text(
            "inputShape",
            "How many numbers an example has; default: as many as DeclaredScaler has bounds.");
    featureBounds =
        text(
            "featureBounds",
            "The bounds of the features, declared: 0..1 for all of them, or one for each with commas"
                + " between.",
            "0..1");
    labelBounds = text("labelBounds", "The bounds of the label, declared.", "0..1");
    loss = text("loss", "squared, or logistic for labels 0 and 1.", "squared");
    noise = text("noise", "gaussian, or laplace, whose delta is 0.", "gaussian");
  }

  /**
   * The column of features.
   *
   * @param column the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setFeaturesCol(String column) {
    return with(featuresCol, column);
  }

  /**
   * The column of what to predict.
   *
   * @param column the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setLabelCol(String column) {
    return with(labelCol, column);
  }

  /**
   * The column that the model adds.
   *
   * @param column the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setPredictionCol(String column) {
    return with(predictionCol, column);
  }

  /**
   * How many numbers an example has.
   *
   * @param shape the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setInputShape(String shape) {
    Shape.parse(shape);
    return with(inputShape, shape);
  }

  /**
   * The bounds of the features: {@code 0..1}, or one for each with commas between.
   *
   * @param bounds the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setFeatureBounds(String bounds) {
    DeclaredScaler.bounds(bounds);
    return with(featureBounds, bounds);
  }

  /**
   * The bounds of the label: {@code 0..120}.
   *
   * @param bounds the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setLabelBounds(String bounds) {
    Column.bounds(bounds);
    return with(labelBounds, bounds);
  }

  /**
   * What is minimised: {@code squared} or {@code logistic}.
   *
   * @param name the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setLoss(String name) {
    return with(loss, oneOf("loss", name, "squared", "logistic"));
  }

  /**
   * Which noise: {@code gaussian} or {@code laplace}.
   *
   * @param name the value to set
   * @return this stage
   */
  public FunctionalRegressionStage setNoise(String name) {
    return with(noise, oneOf("noise", name, "gaussian", "laplace"));
  }

  private static String oneOf(String what, String value, String... allowed) {
    Check.that(
        List.of(allowed).contains(value), what, "one of " + String.join(", ", allowed), value);
    return value;
  }

  @Override
  StructType added(StructType schema) {
    FeatureReader.check(schema, getOrDefault(featuresCol));
    String label = getOrDefault(labelCol);
    checkThere(schema, label);
    Check.that(
        schema.apply(label).dataType() instanceof NumericType,
        "column " + label,
        "of numbers",
        schema.apply(label).dataType().simpleString());
    checkNew(schema, getOrDefault(predictionCol));
    return schema.add(getOrDefault(predictionCol), DataTypes.DoubleType);
  }

  @Override
  FunctionalRegressionModel fitted(Dataset<Row> frame) {
    FeatureReader features =
        FeatureReader.of(frame.schema(), getOrDefault(featuresCol), optional(inputShape));
    PaidRelease paid = PaidRelease.of(this, "regress");
    boolean pure = oneOf("noise", getOrDefault(noise), "gaussian", "laplace").equals("laplace");
    double delta = pure ? 0 : paid.delta();
    RegressionBudget budget =
        pure
            ? new RegressionBudget.Pure(paid.epsilon())
            : new RegressionBudget.Gaussian(paid.epsilon(), delta);
    boolean logistic = getOrDefault(loss).equals("logistic");
    FunctionalMechanism mechanism =
        new FunctionalMechanism(
            declared(features.shape().size()),
            logistic ? RegressionLoss.LOGISTIC : RegressionLoss.SQUARED,
            true,
            budget);
    PrivateData data = data(frame, features);
    RegressionResult result =
        paid.spend(session -> mechanism.fit(session, data, paid.unit(), delta));
    RegressionResult stated =
        values()
            .get(UnitSettings.DECLARED_UNITS)
            .map(units -> result.among(units, true))
            .orElse(result);
    return new FunctionalRegressionModel(
        uid(),
        ReleasedFiles.of(
            FunctionalRegressionModel.FILE,
            Map.of(
                "input",
                features.shape().toString(),
                "weights",
                Arrays.stream(stated.model().weights()).boxed().toList(),
                "intercept",
                stated.model().intercept(),
                "loss",
                logistic ? "logistic" : "squared"),
            paid.told(stated.privacy())));
  }

  private RegressionBounds declared(int size) {
    List<Column.Bounded> each = DeclaredScaler.bounds(getOrDefault(featureBounds));
    Check.that(
        each.size() == 1 || each.size() == size,
        "featureBounds",
        "one, or one for each of " + size + " features",
        each.size());
    Column.Bounded label = Column.bounds(getOrDefault(labelBounds));
    Interval target = new Interval(label.low(), label.high());
    List<Interval> all = each.stream().map(of -> new Interval(of.low(), of.high())).toList();
    return all.size() == 1
        ? RegressionBounds.same(size, all.get(0), target)
        : new RegressionBounds(all, target);
  }

  private PrivateData data(Dataset<Row> frame, FeatureReader features) {
    PrivateData rows =
        FrameRows.of(
            frame,
            unitColumn(),
            new String[] {getOrDefault(featuresCol), getOrDefault(labelCol)},
            features.shape(),
            1,
            row -> {
              float[] read = features.read(row.get(1));
              if (read == null || row.isNullAt(2)) {
                return null;
              }
              float[] example = Arrays.copyOf(read, read.length + 1);
              example[read.length] = ((Number) row.get(2)).floatValue();
              return example;
            });
    return values()
        .get(UnitSettings.EXAMPLES_PER_UNIT)
        .map(most -> rows.atMost(Math.toIntExact(most)))
        .orElse(rows);
  }

  /** {@return what reads a saved stage} */
  public static MLReader<FunctionalRegressionStage> read() {
    return reader();
  }

  /**
   * Reads a saved stage.
   *
   * @param path where it was saved
   * @return the stage
   */
  public static FunctionalRegressionStage load(String path) {
    return read().load(path);
  }
}
