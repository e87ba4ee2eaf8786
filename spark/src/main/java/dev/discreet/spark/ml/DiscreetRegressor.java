package dev.discreet.spark.ml;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.Task;
import dev.discreet.data.Column;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;

/**
 * Trains a network on a frame to predict a number in declared bounds, with differential privacy.
 *
 * <pre>{@code
 * DiscreetModel model =
 *     new DiscreetRegressor()
 *         .setPrivacyUnitCol("patient")
 *         .setLabelBounds("0..120")
 *         .setEpsilon(3)
 *         .fit(org.apache.spark.sql.SparkSession.active().table("patients"));
 * }</pre>
 */
@PublicApi
public final class DiscreetRegressor extends DiscreetEstimator<DiscreetRegressor> {
  private static final long serialVersionUID = 1;

  private final Param<String> labelBounds;

  /** With a new name. */
  public DiscreetRegressor() {
    this(Identifiable$.MODULE$.randomUID("discreetRegressor"));
  }

  /**
   * With this name.
   *
   * @param uid which no other stage has
   */
  public DiscreetRegressor(String uid) {
    super(uid);
    labelBounds =
        text(
            "labelBounds",
            "The bounds of the label, declared, as in 0..120; a label beyond counts as the bound.");
  }

  /**
   * Declares the bounds of the label.
   *
   * @param bounds as in {@code 0..120}
   * @return this stage
   */
  public DiscreetRegressor setLabelBounds(String bounds) {
    Column.bounds(bounds);
    return with(labelBounds, bounds);
  }

  @Override
  Task task() {
    Column.Bounded bounds =
        Column.bounds(required(labelBounds, "set to the bounds of the label, as in 0..120"));
    return new Task.Number(label(), bounds.low(), bounds.high());
  }

  /** {@return what reads a saved stage} */
  public static MLReader<DiscreetRegressor> read() {
    return reader();
  }

  /**
   * Reads a saved stage.
   *
   * @param path where it was saved
   * @return the stage
   */
  public static DiscreetRegressor load(String path) {
    return read().load(path);
  }
}
