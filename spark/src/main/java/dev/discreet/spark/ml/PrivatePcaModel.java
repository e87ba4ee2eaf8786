package dev.discreet.spark.ml;

import dev.discreet.accounting.PublicApi;
import dev.discreet.algorithms.pca.Projection;
import dev.discreet.core.files.JsonFields;
import dev.discreet.spark.FrameRows;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/**
 * Directions that were released, with what they cost. Features become their products with them.
 *
 * <pre>{@code
 * PrivatePcaModel directions = PrivatePcaModel.load("models/directions");
 * }</pre>
 */
@PublicApi
public final class PrivatePcaModel extends ReleasedModel<PrivatePcaModel> {
  private static final long serialVersionUID = 1;
  static final String FILE = "directions.json";

  private final Param<String> featuresCol;
  private final Param<String> outputCol;

  PrivatePcaModel(String uid, ReleasedFiles files) {
    super(uid, files);
    featuresCol = text("featuresCol", "Vectors, arrays of float or double, or images.", "features");
    outputCol = text("outputCol", "The column of products with the directions.", "directions");
  }

  @Override
  PrivatePcaModel again(String uid, ReleasedFiles files) {
    return new PrivatePcaModel(uid, files);
  }

  /** {@return the directions} */
  public Projection projection() {
    JsonFields json = files().json(FILE);
    double[][] directions =
        json.list("directions").stream()
            .map(
                each ->
                    ((List<?>) each)
                        .stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray())
            .toArray(double[][]::new);
    return new Projection(directions, json.numbers("eigenvalues"));
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
    PrivateStage.checkNew(schema, getOrDefault(outputCol));
    return schema.add(getOrDefault(outputCol), SQLDataTypes.VectorType());
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
    double[][] directions = projection().directions();
    UDF1<Object, Object> products =
        cell -> {
          float[] x = features.read(cell);
          if (x == null) {
            return null;
          }
          double[] found = new double[directions.length];
          for (int k = 0; k < found.length; k++) {
            for (int i = 0; i < x.length; i++) {
              found[k] += directions[k][i] * x[i];
            }
          }
          return Vectors.dense(found);
        };
    return dataset.withColumn(
        getOrDefault(outputCol),
        functions
            .udf(products, SQLDataTypes.VectorType())
            .apply(dataset.col(FrameRows.quoted(getOrDefault(featuresCol)))),
        new org.apache.spark.ml.attribute.AttributeGroup(getOrDefault(outputCol), directions.length)
            .toMetadata());
  }

  /** {@return what reads a saved model} */
  public static MLReader<PrivatePcaModel> read() {
    return reader(PrivatePcaModel.class, PrivatePcaModel::new);
  }

  /**
   * Reads a saved model.
   *
   * @param path where it was saved
   * @return the model
   */
  public static PrivatePcaModel load(String path) {
    return read().load(path);
  }
}
