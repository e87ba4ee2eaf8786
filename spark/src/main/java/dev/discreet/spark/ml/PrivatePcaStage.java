package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.algorithms.pca.PrivatePca;
import dev.discreet.algorithms.pca.Projection;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Shape;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.spark.FrameRows;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Principal directions of features, released once with Gaussian noise. Rows are scaled to length 1
 * before.
 *
 * <pre>{@code
 * PrivatePcaModel directions =
 *     new PrivatePcaStage()
 *         .setPrivacyUnitCol("patient")
 *         .setK(10)
 *         .setEpsilon(1)
 *         .setDelta(1e-6)
 *         .fit(org.apache.spark.sql.SparkSession.active().table("patients"));
 * }</pre>
 */
@PublicApi
public final class PrivatePcaStage extends PrivateStage<PrivatePcaModel, PrivatePcaStage> {
  private static final long serialVersionUID = 1;

  private final Param<String> featuresCol;
  private final Param<String> outputCol;
  private final Param<String> inputShape;
  private final Param<String> k;

  /** With a new name. */
  public PrivatePcaStage() {
    this(Identifiable$.MODULE$.randomUID("privatePca"));
  }

  /**
   * With this name.
   *
   * @param uid which no other stage has
   */
  public PrivatePcaStage(String uid) {
    super(uid, SPENDING);
    featuresCol = text("featuresCol", "Vectors, arrays of float or double, or images.", "features");
    outputCol = text("outputCol", "The column of products with the directions.", "directions");
    inputShape =
        text(
            "inputShape",
            "How many numbers an example has; default: as many as DeclaredScaler has bounds.");
    k = text("k", "How many directions are released.");
  }

  /**
   * The column of features.
   *
   * @param column which the frame has
   * @return this stage
   */
  public PrivatePcaStage setFeaturesCol(String column) {
    return with(featuresCol, column);
  }

  /**
   * The column that the model adds.
   *
   * @param column a new one
   * @return this stage
   */
  public PrivatePcaStage setOutputCol(String column) {
    return with(outputCol, column);
  }

  /**
   * How many numbers an example has.
   *
   * @param shape as in {@code 784}
   * @return this stage
   */
  public PrivatePcaStage setInputShape(String shape) {
    Shape.parse(shape);
    return with(inputShape, shape);
  }

  /**
   * How many directions are released.
   *
   * @param directions at least 1
   * @return this stage
   */
  public PrivatePcaStage setK(int directions) {
    Check.that(directions >= 1, "k", "at least 1", directions);
    return with(k, Integer.toString(directions));
  }

  @Override
  StructType added(StructType schema) {
    FeatureReader.check(schema, getOrDefault(featuresCol));
    checkNew(schema, getOrDefault(outputCol));
    return schema.add(getOrDefault(outputCol), SQLDataTypes.VectorType());
  }

  @Override
  PrivatePcaModel fitted(Dataset<Row> frame) {
    FeatureReader features =
        FeatureReader.of(frame.schema(), getOrDefault(featuresCol), optional(inputShape));
    int directions = Integer.parseInt(required(k, "set to a number of directions"));
    PaidRelease paid = PaidRelease.of(this, "pca");
    double delta = paid.delta();
    paid.checkRoom(
        price ->
            Ledger.of(paid.relation(), new Mechanism.Gaussian(multiplier(paid, price, delta)), 1));
    double multiplier = multiplier(paid, paid.epsilon(), delta);
    PrivateData data = data(frame, features);
    Projection[] found = new Projection[1];
    Privacy privacy =
        paid.spend(
            session -> {
              found[0] = PrivatePca.fit(session, data, directions, multiplier);
              return paid.privacy(session, delta);
            });
    return new PrivatePcaModel(
        uid(),
        ReleasedFiles.of(
            PrivatePcaModel.FILE,
            Map.of(
                "input", features.shape().toString(),
                "directions",
                    Arrays.stream(found[0].directions()).map(PrivatePcaStage::list).toList(),
                "eigenvalues", list(found[0].eigenvalues())),
            paid.told(privacy)));
  }

  private static java.util.List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static double multiplier(PaidRelease paid, double epsilon, double delta) {
    return paid.relation().sensitivity() * MechanismCalibration.analyticGaussian(epsilon, delta);
  }

  /** The rows; what else a frame has is not looked at. */
  PrivateData data(Dataset<Row> frame, FeatureReader features) {
    PrivateData rows =
        FrameRows.of(
            frame,
            unitColumn(),
            new String[] {getOrDefault(featuresCol)},
            features.shape(),
            1,
            row -> {
              float[] read = features.read(row.get(1));
              return read == null ? null : Arrays.copyOf(read, read.length + 1);
            });
    return values()
        .get(UnitSettings.EXAMPLES_PER_UNIT)
        .map(most -> rows.atMost(Math.toIntExact(most)))
        .orElse(rows);
  }

  /** {@return what reads a saved stage} */
  public static MLReader<PrivatePcaStage> read() {
    return reader();
  }

  /**
   * Reads a saved stage.
   *
   * @param path where it was saved
   * @return the stage
   */
  public static PrivatePcaStage load(String path) {
    return read().load(path);
  }
}
