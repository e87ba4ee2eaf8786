package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.data.Column;
import dev.discreet.spark.FrameRows;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;

/**
 * Moves vectors from declared bounds to [0, 1]. Nothing is read off the rows, so it costs nothing,
 * and there is nothing to fit: a scaler that fits itself, such as StandardScaler, tells of every
 * row.
 *
 * <pre>{@code
 * DeclaredScaler scaler =
 *     new DeclaredScaler().setInputCol("raw").setOutputCol("features").setBounds("0..120,0..300");
 * }</pre>
 */
@PublicApi
public final class DeclaredScaler extends Transformer implements MLWritable {
  private static final long serialVersionUID = 1;

  /** In a column's metadata: how many numbers were declared, which no row has decided. */
  static final String DECLARED = "discreetDeclaredSize";

  private final String uid;
  private final StageParams params;
  private final Param<String> inputCol;
  private final Param<String> outputCol;
  private final Param<String> bounds;

  /** With a new name. */
  public DeclaredScaler() {
    this(Identifiable$.MODULE$.randomUID("declaredScaler"));
  }

  /**
   * With this name.
   *
   * @param uid which no other stage has
   */
  public DeclaredScaler(String uid) {
    this.uid = uid;
    this.params = new StageParams(this);
    inputCol = params.text("inputCol", "Vectors, as VectorAssembler makes them.");
    outputCol = params.text("outputCol", "The column to add.");
    bounds =
        params.text(
            "bounds",
            "What values lie between, declared: 0..120 for all of them, or one for each with commas"
                + " between. Values beyond are moved to the bounds.");
    setDefault(outputCol, "features");
  }

  /**
   * The column of vectors.
   *
   * @param column which the frame has
   * @return this stage
   */
  public DeclaredScaler setInputCol(String column) {
    set(inputCol, column);
    return this;
  }

  /**
   * The column to add.
   *
   * @param column a new one
   * @return this stage
   */
  public DeclaredScaler setOutputCol(String column) {
    set(outputCol, column);
    return this;
  }

  /**
   * Declares the bounds.
   *
   * @param declared {@code 0..120} for all values, or one for each with commas between
   * @return this stage
   */
  public DeclaredScaler setBounds(String declared) {
    bounds(declared);
    set(bounds, declared);
    return this;
  }

  static List<Column.Bounded> bounds(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(Column::bounds).toList();
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
   * The same with other parameters.
   *
   * @param extra what is other
   * @return a copy; this stays as it is
   */
  @Override
  public DeclaredScaler copy(ParamMap extra) {
    return defaultCopy(extra);
  }

  private String column() {
    Check.that(isDefined(inputCol), "inputCol of DeclaredScaler", "set", "none");
    return getOrDefault(inputCol);
  }

  /**
   * Refuses a frame that does not fit, and says what columns it would have afterwards.
   *
   * @param schema of the frame
   * @return the schema with the columns that are added
   */
  @Override
  public StructType transformSchema(StructType schema) {
    PrivateStage.checkThere(schema, column());
    Check.that(
        schema.apply(column()).dataType().equals(SQLDataTypes.VectorType()),
        "column " + column(),
        "of vectors",
        schema.apply(column()).dataType().simpleString());
    Check.that(isDefined(bounds), "bounds of DeclaredScaler", "declared, as in 0..120", "none");
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
    List<Column.Bounded> each = bounds(getOrDefault(bounds));
    double[] low = each.stream().mapToDouble(Column.Bounded::low).toArray();
    double[] high = each.stream().mapToDouble(Column.Bounded::high).toArray();
    int known = AttributeGroup.fromStructField(dataset.schema().apply(column())).size();
    int size = low.length > 1 ? low.length : known;
    Check.that(
        known <= 0 || known == size,
        "bounds of column " + column(),
        "one, or one for each of " + known + " values",
        low.length);
    UDF1<Vector, Vector> scaled =
        vector -> {
          // A row that does not fit counts as zero with whoever learns from it.
          if (vector == null || low.length > 1 && vector.size() != low.length) {
            return null;
          }
          double[] values = vector.toArray().clone();
          for (int i = 0; i < values.length; i++) {
            int of = low.length > 1 ? i : 0;
            double moved = Math.max(low[of], Math.min(high[of], values[i]));
            values[i] = (moved - low[of]) / (high[of] - low[of]);
          }
          return Vectors.dense(values);
        };
    AttributeGroup group =
        size > 0
            ? new AttributeGroup(getOrDefault(outputCol), size)
            : new AttributeGroup(getOrDefault(outputCol));
    MetadataBuilder metadata = new MetadataBuilder().withMetadata(group.toMetadata());
    if (low.length > 1) {
      metadata.putLong(DECLARED, size);
    }
    return dataset.withColumn(
        getOrDefault(outputCol),
        functions
            .udf(scaled, SQLDataTypes.VectorType())
            .apply(dataset.col(FrameRows.quoted(column()))),
        metadata.build());
  }

  /** {@return what saves it} */
  @Override
  public MLWriter write() {
    return new DefaultParamsWriter(this);
  }

  /** {@return what reads a saved stage} */
  public static MLReader<DeclaredScaler> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * Reads a saved stage.
   *
   * @param path where it was saved
   * @return the stage
   */
  public static DeclaredScaler load(String path) {
    return read().load(path);
  }
}
