package dev.discreet.spark.ml;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * The answer to a question, with what it cost. In a pipeline it passes frames on as they are.
 *
 * <pre>{@code
 * System.out.println(PrivateQueryModel.load("answers/median-age").value());
 * }</pre>
 */
@PublicApi
public final class PrivateQueryModel extends ReleasedModel<PrivateQueryModel> {
  private static final long serialVersionUID = 1;
  static final String FILE = "answer.json";

  PrivateQueryModel(String uid, ReleasedFiles files) {
    super(uid, files);
  }

  @Override
  PrivateQueryModel again(String uid, ReleasedFiles files) {
    return new PrivateQueryModel(uid, files);
  }

  private JsonFields json() {
    return files().json(FILE);
  }

  /** {@return the first or only number, with noise} */
  public double value() {
    return values().get(0);
  }

  /** {@return one number, or one for each bin, with noise} */
  public List<Double> values() {
    return Arrays.stream(json().numbers("values")).boxed().toList();
  }

  /** {@return what the bins of a histogram are called; nothing for other questions} */
  public List<String> bins() {
    return json().map().containsKey("bins")
        ? json().list("bins").stream().map(String::valueOf).toList()
        : List.of();
  }

  /** {@return standard deviation of the noise on each number; none for a quantile} */
  public OptionalDouble deviation() {
    return json().map().containsKey("deviation")
        ? OptionalDouble.of(json().number("deviation"))
        : OptionalDouble.empty();
  }

  /**
   * Refuses a frame that does not fit, and says what columns it would have afterwards.
   *
   * @param schema of the frame
   * @return the schema with the columns that are added
   */
  @Override
  public StructType transformSchema(StructType schema) {
    return schema;
  }

  /**
   * Adds its columns.
   *
   * @param dataset the frame
   * @return the frame with them
   */
  @Override
  public Dataset<Row> transform(Dataset<?> dataset) {
    return dataset.toDF();
  }

  /** {@return what reads a saved answer} */
  public static MLReader<PrivateQueryModel> read() {
    return reader(PrivateQueryModel.class, PrivateQueryModel::new);
  }

  /**
   * Reads a saved answer.
   *
   * @param path where it was saved
   * @return the answer
   */
  public static PrivateQueryModel load(String path) {
    return read().load(path);
  }
}
