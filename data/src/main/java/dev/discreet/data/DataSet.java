package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.model.Task;
import dev.discreet.core.privacy.Units;
import java.util.Optional;

/**
 * Examples to train on and to test on. Apart from the examples themselves, nothing in it was read
 * off private rows.
 *
 * <pre>{@code
 * DataSet digits = DataSets.open("mnist", DataOptions.none());
 * Result result = trainer.train(digits.train());
 * }</pre>
 *
 * @param name as a report shows it
 * @param task classes to find, or a number to predict
 * @param train to train on
 * @param test empty where there are no rows to test on
 * @param misfits the rows of a private file, training and held-out ones, that count as zero; for
 *     the operator, before anything is spent
 * @param isPublished whether all of it is public or generated, and its training rows are only
 *     treated as if they were someone's
 */
@PublicApi
public record DataSet(
    String name, Task task, Part train, Optional<Part> test, Misfits misfits, boolean isPublished) {

  /**
   * A set whose rows all fit, and whose training rows are private.
   *
   * @param name as a report shows it
   * @param task what is to be predicted
   * @param train the rows to train on
   * @param test the rows to test on
   */
  public DataSet(String name, Task task, Part train, Optional<Part> test) {
    this(name, task, train, test, Misfits.none(0), false);
  }

  /**
   * This set as one that was published or generated as a whole: the training rows are no secret, so
   * its test rows need not be others.
   *
   * @return that set; this one stays as it is
   */
  public DataSet published() {
    return new DataSet(name, task, train, test, misfits, true);
  }

  /**
   * This set with other rows of the same kind. Nothing is known of those: they are private until
   * {@link #published} says otherwise, and all of them count as fitting.
   *
   * @param others to train on
   * @param tested to test on
   * @return that set; this one stays as it is
   */
  public DataSet with(Part others, Optional<Part> tested) {
    return new DataSet(name, task, others, tested);
  }

  /** {@return what a run is prepared on} */
  public TrainingRows rows() {
    return new TrainingRows(name, task, train, test, misfits, isPublished || train.isPublic);
  }

  /** This set with a sentence on where the declarations of its training rows were taken from. */
  DataSet taken(String sentence) {
    Part part = train.taken(sentence, train.onlyUnit, train.isSelected);
    return new DataSet(name, task, part, test, misfits, isPublished);
  }

  /** This set with private rows that a selection chose. */
  DataSet selected(DatabaseSelection selection) {
    return new DataSet(
        name,
        task,
        train.selected(selection),
        test.map(part -> part.isPublic ? part : part.selected(selection)),
        misfits,
        isPublished);
  }

  /**
   * Rows of one use, and whose they are.
   *
   * @param examples those that fit
   * @param units whom to protect, and which examples each has; a unit may have none
   * @param isPublic whether these rows are declared public, so that what depends on them may go
   *     into files; rows held out of a private file never are
   * @param rowsAreUnits whether each row is a unit, since nobody said whose it is
   * @param by what decided that these rows are in this part
   * @param taken a sentence on where the rows or their declarations were taken from, which a
   *     statement repeats; empty for nothing to say
   * @param onlyUnit the only noun that a promise about these rows may have; empty for any
   * @param isSelected whether somebody chose them by what they hold, so that their number is no
   *     public one
   */
  public record Part(
      Examples examples,
      Units units,
      boolean isPublic,
      boolean rowsAreUnits,
      Split.By by,
      String taken,
      Optional<String> onlyUnit,
      boolean isSelected)
      implements LocalData {

    /**
     * Rows that were not split off others.
     *
     * @param examples those that fit
     * @param units whom to protect
     * @param isPublic whether these rows are declared public
     */
    public Part(Examples examples, Units units, boolean isPublic) {
      this(
          examples,
          units,
          isPublic,
          units.areExamples(),
          Split.By.NOTHING,
          "",
          Optional.empty(),
          false);
    }

    /**
     * These rows with other units, such as fewer examples of each.
     *
     * @param others of the same examples
     * @return the same rows
     */
    @Override
    public Part with(Units others) {
      return new Part(examples, others, isPublic, rowsAreUnits, by, taken, onlyUnit, isSelected);
    }

    /**
     * These rows with what a statement has to say of them.
     *
     * @param taken a sentence on where the rows or their declarations were taken from
     * @param onlyUnit the only noun that a promise about these rows may have; empty for any
     * @param isSelected whether somebody chose them by what they hold
     * @return the same rows
     */
    public Part taken(String taken, Optional<String> onlyUnit, boolean isSelected) {
      return new Part(examples, units, isPublic, rowsAreUnits, by, taken, onlyUnit, isSelected);
    }

    /**
     * These rows as a selection chose them, row by row.
     *
     * @param selection of a table
     * @return the same rows
     */
    public Part selected(DatabaseSelection selection) {
      return taken(
          selection.said(),
          onlyUnit,
          selection.where().isPresent() || !selection.joins().isEmpty());
    }

    @Override
    public void check(Neighbouring relation) {
      Check.that(
          by.keeps(relation),
          "neighbouring",
          "a relation that the split of the data keeps (they were opened for another)",
          relation.label());
    }

    @Override
    public String declared(String unit) {
      return (by.declared(unit) + " " + taken).strip();
    }
  }
}
