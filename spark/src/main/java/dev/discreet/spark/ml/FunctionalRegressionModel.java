package dev.discreet.spark.ml;

import dev.discreet.accounting.PublicApi;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.core.files.JsonFields;
import dev.discreet.spark.FrameRows;
import java.util.Optional;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A linear model that was fitted by noisy sums, with what that cost.
 *
 * <pre>{@code
 * FunctionalRegressionModel model = FunctionalRegressionModel.load("models/income");
 * }</pre>
 */
@PublicApi
public final class FunctionalRegressionModel extends ReleasedModel<FunctionalRegressionModel> {
  private static final long serialVersionUID = 1;
  static final String FILE = "linear.json";

  private final Param<String> featuresCol;
  private final Param<String> predictionCol;

  FunctionalRegressionModel(String uid, ReleasedFiles files) {
    super(uid, files);
    featuresCol = text("featuresCol", "Vectors, arrays of float or double, or images.", "features");
    predictionCol = text("predictionCol", DiscreetModel.PREDICTION, "prediction");
  }

  @Override
  FunctionalRegressionModel again(String uid, ReleasedFiles files) {
    return new FunctionalRegressionModel(uid, files);
  }

  /** {@return the weights} */
  public LinearModel model() {
    JsonFields json = files().json(FILE);
    return new LinearModel(
        json.numbers("weights"),
        json.number("intercept"),
        json.text("loss").equals("logistic") ? RegressionLoss.LOGISTIC : RegressionLoss.SQUARED);
  }

  private FeatureReader reader(StructType schema) {
    return FeatureReader.of(
        schema, getOrDefault(featuresCol), Optional.of(files().json(FILE).text("input")));
  }

  /**
   * Refuses a frame that does not fit, and says what columns it would have afterwards.
   *
   * @param schema of the frame
   * @return the schema with the columns that are added
   */
  @Override
  public StructType transformSchema(StructType schema) {
    reader(schema);
    PrivateStage.checkNew(schema, getOrDefault(predictionCol));
    return schema.add(getOrDefault(predictionCol), DataTypes.DoubleType);
  }

  /**
   * Adds its columns.
   *
   * @param dataset the frame
   * @return the frame with them
   */
  @Override
  public Dataset<Row> transform(Dataset<?> dataset) {
    transformSchema(dataset.schema());
    FeatureReader features = reader(dataset.schema());
    double[] weights = model().weights();
    double intercept = model().intercept();
    boolean logistic = model().loss() == RegressionLoss.LOGISTIC;
    UDF1<Object, Object> says =
        cell -> {
          float[] x = features.read(cell);
          if (x == null) {
            return null;
          }
          double score = new LinearModel(weights, intercept, RegressionLoss.SQUARED).score(x);
          return logistic ? (score > 0 ? 1.0 : 0.0) : score;
        };
    return dataset.withColumn(
        getOrDefault(predictionCol),
        functions
            .udf(says, DataTypes.DoubleType)
            .apply(dataset.col(FrameRows.quoted(getOrDefault(featuresCol)))));
  }

  /** {@return what reads a saved model} */
  public static MLReader<FunctionalRegressionModel> read() {
    return reader(FunctionalRegressionModel.class, FunctionalRegressionModel::new);
  }

  /**
   * Reads a saved model.
   *
   * @param path where it was saved
   * @return the model
   */
  public static FunctionalRegressionModel load(String path) {
    return read().load(path);
  }
}
