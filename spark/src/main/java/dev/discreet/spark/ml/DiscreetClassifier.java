package dev.discreet.spark.ml;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.Task;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;

/**
 * Trains a network on a frame to tell classes apart, with differential privacy.
 *
 * <pre>{@code
 * DiscreetModel model =
 *     new DiscreetClassifier()
 *         .setPrivacyUnitCol("patient")
 *         .setUnit("patient")
 *         .setClasses("well|ill")
 *         .setEpsilon(3)
 *         .fit(org.apache.spark.sql.SparkSession.active().table("patients"));
 * System.out.println(model.statement());
 * }</pre>
 */
@PublicApi
public final class DiscreetClassifier extends DiscreetEstimator<DiscreetClassifier> {
  private static final long serialVersionUID = 1;

  private final Param<String> classes;
  private final Param<String> probabilityCol;
  private final Param<String> rawPredictionCol;

  /** With a new name. */
  public DiscreetClassifier() {
    this(Identifiable$.MODULE$.randomUID("discreetClassifier"));
  }

  /**
   * With this name.
   *
   * @param uid which no other stage has
   */
  public DiscreetClassifier(String uid) {
    super(uid);
    classes =
        text(
            "classes",
            "The classes, declared: their names, as in no|yes, or their number. They are never read"
                + " off the rows.");
    probabilityCol = text("probabilityCol", DiscreetModel.PROBABILITY, "probability");
    rawPredictionCol = text("rawPredictionCol", DiscreetModel.RAW, "rawPrediction");
  }

  /**
   * Declares the classes.
   *
   * @param names as in {@code no|yes}, or their number
   * @return this stage
   */
  public DiscreetClassifier setClasses(String names) {
    return with(classes, names);
  }

  /**
   * The column that a model adds.
   *
   * @param column empty for none
   * @return this stage
   */
  public DiscreetClassifier setProbabilityCol(String column) {
    return with(probabilityCol, column);
  }

  /**
   * The column that a model adds.
   *
   * @param column empty for none
   * @return this stage
   */
  public DiscreetClassifier setRawPredictionCol(String column) {
    return with(rawPredictionCol, column);
  }

  @Override
  String probabilities() {
    return getOrDefault(probabilityCol);
  }

  @Override
  String rawPredictions() {
    return getOrDefault(rawPredictionCol);
  }

  @Override
  Task task() {
    String declared =
        required(classes, "set to the names of the classes, as in no|yes, or to their number");
    return new Task.Classes(names(declared));
  }

  private static List<String> names(String declared) {
    return declared.matches("\\d{1,6}")
        ? IntStream.range(0, Integer.parseInt(declared)).mapToObj(Integer::toString).toList()
        : Arrays.stream(declared.split("\\|", -1)).map(String::strip).toList();
  }

  /** {@return what reads a saved stage} */
  public static MLReader<DiscreetClassifier> read() {
    return reader();
  }

  /**
   * Reads a saved stage.
   *
   * @param path where it was saved
   * @return the stage
   */
  public static DiscreetClassifier load(String path) {
    return read().load(path);
  }
}
