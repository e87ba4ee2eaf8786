package dev.discreet.data;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Task;
import java.util.Optional;

/**
 * What a run is prepared on: rows to train on, wherever they live, and rows on this machine to test
 * on. Those to train on may be elsewhere, where only an engine reaches them.
 *
 * <pre>{@code
 * TrainingRows rows = DataSets.open("mnist", DataOptions.none()).rows();
 * }</pre>
 *
 * @param name as a report shows it
 * @param task what is to be predicted
 * @param train the rows to train on
 * @param test the rows to test on; empty for none
 * @param misfits the rows, training and held-out ones, that count as zero; for the operator, before
 *     anything is spent
 * @param isPublic whether all rows are public, those to train on too
 */
@PublicApi
public record TrainingRows(
    String name,
    Task task,
    PrivateData train,
    Optional<DataSet.Part> test,
    Misfits misfits,
    boolean isPublic) {

  /**
   * Private rows to train on, which all fit.
   *
   * @param name as a report shows it
   * @param task what is to be predicted
   * @param train the rows to train on
   * @param test the rows to test on; empty for none
   */
  public TrainingRows(String name, Task task, PrivateData train, Optional<DataSet.Part> test) {
    this(name, task, train, test, Misfits.none(0), false);
  }

  /**
   * These with at most as many examples of each unit.
   *
   * @param examples the most that one unit keeps, at least 1
   * @return those rows; these stay as they are
   */
  public TrainingRows atMost(int examples) {
    return new TrainingRows(name, task, train.atMost(examples), test, misfits, isPublic);
  }

  /**
   * The rows to test on that were declared public beside private rows to train on: none of these
   * may be among them.
   *
   * @return empty where all rows are public, or where those to test on are private too
   */
  public Optional<DataSet.Part> publicTest() {
    return isPublic ? Optional.empty() : test.filter(DataSet.Part::isPublic);
  }
}
