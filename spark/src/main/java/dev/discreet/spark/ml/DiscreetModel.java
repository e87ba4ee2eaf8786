package dev.discreet.spark.ml;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Task;
import dev.discreet.spark.plan.RowByRow;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.attribute.NominalAttribute;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * A network that was trained on a frame, with what that cost. What it says of a row depends on that
 * row: predictions are outside every guarantee.
 *
 * <pre>{@code
 * DiscreetModel model = DiscreetModel.load("models/patients");
 * System.out.println(model.statement());
 * }</pre>
 */
@PublicApi
public final class DiscreetModel extends ReleasedModel<DiscreetModel> {
  private static final long serialVersionUID = 1;

  static final String PREDICTION =
      "What the model says: a number, or the place of a class. Empty for no such column. A row that"
          + " does not fit has none.";
  static final String PROBABILITY = "How likely each class is. Empty for no such column.";
  static final String RAW =
      "The outputs of the network for each class, of which the likelihoods are made. Empty for no"
          + " such column.";

  private final Param<String> featuresCol;
  private final Param<String> predictionCol;
  private final Param<String> probabilityCol;
  private final Param<String> rawPredictionCol;
  private final transient Model model;

  DiscreetModel(String uid, ReleasedFiles files) {
    super(uid, files);
    this.model = files.read(Model::load);
    boolean classes = model.task().match(each -> true, number -> false);
    featuresCol = text("featuresCol", "Vectors, arrays of float or double, or images.", "features");
    predictionCol = text("predictionCol", PREDICTION, "prediction");
    probabilityCol = text("probabilityCol", PROBABILITY, classes ? "probability" : "");
    rawPredictionCol = text("rawPredictionCol", RAW, classes ? "rawPrediction" : "");
  }

  @Override
  DiscreetModel again(String uid, ReleasedFiles files) {
    return new DiscreetModel(uid, files);
  }

  /** {@return the network itself} */
  public Model model() {
    return model;
  }

  /**
   * The column of features.
   *
   * @param column which a frame has
   * @return this model
   */
  public DiscreetModel setFeaturesCol(String column) {
    set(featuresCol, column);
    return this;
  }

  /**
   * The column that it adds.
   *
   * @param column a new one; empty for none
   * @return this model
   */
  public DiscreetModel setPredictionCol(String column) {
    set(predictionCol, column);
    return this;
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
    return added(
        schema,
        model.task(),
        getOrDefault(predictionCol),
        getOrDefault(probabilityCol),
        getOrDefault(rawPredictionCol));
  }

  private FeatureReader reader(StructType schema) {
    return FeatureReader.of(
        schema, getOrDefault(featuresCol), Optional.of(model.layout().input().toString()));
  }

  /** A schema with the columns that a model adds. */
  static StructType added(
      StructType schema, Task task, String prediction, String probability, String raw) {
    StructType all = schema;
    Metadata names =
        task.match(
            classes ->
                NominalAttribute.defaultAttr()
                    .withName(prediction)
                    .withValues(classes.names().toArray(String[]::new))
                    .toMetadata(),
            number -> Metadata.empty());
    for (StructField field :
        List.of(
            new StructField(raw, SQLDataTypes.VectorType(), true, Metadata.empty()),
            new StructField(probability, SQLDataTypes.VectorType(), true, Metadata.empty()),
            new StructField(prediction, DataTypes.DoubleType, true, names))) {
      if (!field.name().isEmpty()) {
        PrivateStage.checkNew(all, field.name());
        all = all.add(field);
      }
    }
    return all;
  }

  /**
   * Adds its columns.
   *
   * @param dataset the frame
   * @return the frame with them
   */
  @Override
  public Dataset<Row> transform(Dataset<?> dataset) {
    Dataset<Row> frame = dataset.toDF();
    StructType schema = transformSchema(frame.schema());
    RowPredictions predictions =
        new RowPredictions(
            model.layout(),
            model.parameters(),
            model.task().match(classes -> 0.0, Task.Number::low),
            model.task().match(classes -> 1.0, number -> number.high() - number.low()),
            reader(frame.schema()),
            frame.schema().fieldIndex(getOrDefault(featuresCol)),
            !getOrDefault(rawPredictionCol).isEmpty(),
            !getOrDefault(probabilityCol).isEmpty(),
            !getOrDefault(predictionCol).isEmpty());
    // Once an executor, however many tasks there are.
    Broadcast<RowPredictions> sent =
        JavaSparkContext.fromSparkContext(frame.sparkSession().sparkContext())
            .broadcast(predictions);
    return frame.mapPartitions(new Predicting(sent), Encoders.row(schema));
  }

  /** By batches of rows, each of which has its own prediction. */
  private static final class Predicting
      extends AbstractFunction1<scala.collection.Iterator<Row>, scala.collection.Iterator<Row>>
      implements RowByRow, Serializable {
    private static final long serialVersionUID = 1;

    private final Broadcast<RowPredictions> sent;

    Predicting(Broadcast<RowPredictions> sent) {
      this.sent = sent;
    }

    @Override
    public scala.collection.Iterator<Row> apply(scala.collection.Iterator<Row> rows) {
      return CollectionConverters.asScala(sent.value().of(CollectionConverters.asJava(rows)));
    }
  }

  /** {@return what reads a saved model} */
  public static MLReader<DiscreetModel> read() {
    return reader(DiscreetModel.class, DiscreetModel::new);
  }

  /**
   * Reads a saved model.
   *
   * @param path where it was saved
   * @return the model
   */
  public static DiscreetModel load(String path) {
    return read().load(path);
  }
}
