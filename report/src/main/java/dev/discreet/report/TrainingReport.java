package dev.discreet.report;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.LabelUnit;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.train.Result;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the page about one training shows. All of it is public, or was released with noise and is on
 * the ledger: so examples can be given only with a test set that is public.
 *
 * <pre>{@code
 * String page =
 *     new TrainingReport(
 *             "Handwritten digits",
 *             "digits",
 *             result,
 *             List.of(),
 *             List.of(new TrainingReport.Spent(0, 0), new TrainingReport.Spent(200, 1.7)),
 *             new TrainingReport.Score.PublicTest(List.of()),
 *             List.of(new TrainingReport.Row("lot", "600 expected of 20,000, Poisson")),
 *             new TrainingReport.Reproduce("discreet train --data digits --epsilon 3", ""))
 *         .html();
 * }</pre>
 *
 * @param title the heading of the page
 * @param data what the model was trained on, by its public name
 * @param result the model, and what it cost
 * @param classes public names in the order of the labels; empty for their numbers
 * @param spent the certified ε by step, steps ascending; empty for no curve
 * @param score where the figures of quality come from
 * @param plan lines of the table that says how it was trained
 * @param reproduce how to train it again
 * @param label what a regression's error is counted in
 */
@PublicApi
public record TrainingReport(
    String title,
    String data,
    Result result,
    List<String> classes,
    List<Spent> spent,
    Score score,
    List<Row> plan,
    Reproduce reproduce,
    LabelUnit label) {

  /**
   * With labels as they are scaled.
   *
   * @param title of the page
   * @param data what the model was trained on, by its public name
   * @param result the trained model and what it cost
   * @param classes public names in the order of the labels; empty for their numbers
   * @param spent the certified ε by step, steps ascending; empty for no curve
   * @param score where the figures of quality come from
   * @param plan the lines of the plan's table
   * @param reproduce how the run is made again
   */
  public TrainingReport(
      String title,
      String data,
      Result result,
      List<String> classes,
      List<Spent> spent,
      Score score,
      List<Row> plan,
      Reproduce reproduce) {
    this(title, data, result, classes, spent, score, plan, reproduce, LabelUnit.SCALED);
  }

  /**
   * A point of the curve of what was spent.
   *
   * @param step how many were taken; at least 0
   * @param epsilon an upper end, of everything released up to this step
   */
  public record Spent(long step, double epsilon) {
    /** Refuses negative values. */
    public Spent {
      Check.that(step >= 0, "step", "at least 0", step);
      Check.nonNegative(epsilon, "epsilon");
    }
  }

  /**
   * A line of the plan's table.
   *
   * @param name the left cell
   * @param value the right cell
   */
  public record Row(String name, String value) {}

  /**
   * How to train the same again.
   *
   * @param command one line for a shell
   * @param runFile the effective run file; empty for none
   */
  public record Reproduce(String command, String runFile) {}

  /** Who may know how well the model predicts, and so what the page may say of it. */
  public sealed interface Score {

    /**
     * What there is to say of each kind. A new kind is a further parameter, so that every caller
     * fails to compile until it knows it.
     *
     * @param <T> what is said
     * @param publicTest for a public test set
     * @param noised for a score with noise
     * @param consoleOnly where the page may say nothing
     * @return what the function of this kind gives
     */
    <T> T match(
        Function<PublicTest, T> publicTest, Function<Noised, T> noised, Supplier<T> consoleOnly);

    /**
     * The result's own evaluations, of a declared public test set.
     *
     * @param worst examples of that set which were classified worst
     */
    record PublicTest(List<Misread> worst) implements Score {
      /** Copies the list. */
      public PublicTest {
        worst = List.copyOf(worst);
      }

      @Override
      public <T> T match(
          Function<PublicTest, T> publicTest, Function<Noised, T> noised, Supplier<T> consoleOnly) {
        return publicTest.apply(this);
      }
    }

    /**
     * Of held-out private rows, released with noise and on the ledger.
     *
     * @param score as it was released
     */
    record Noised(NoisyScore score) implements Score {
      @Override
      public <T> T match(
          Function<PublicTest, T> publicTest, Function<Noised, T> noised, Supplier<T> consoleOnly) {
        return noised.apply(this);
      }
    }

    /** Figures of held-out private rows were shown to the operator, or to no one. */
    record ConsoleOnly() implements Score {
      @Override
      public <T> T match(
          Function<PublicTest, T> publicTest, Function<Noised, T> noised, Supplier<T> consoleOnly) {
        return consoleOnly.get();
      }
    }
  }

  /**
   * An example of a public test set that was classified wrong.
   *
   * @param shape height, width and channels, of which there are 1 or 3
   * @param pixels 0 to 255, channels last, as many as the shape has values
   * @param truth the name of its class
   * @param taken the name of the class that the model found
   * @param confidence the probability that the model gave to what it took the example for
   */
  public record Misread(Shape shape, byte[] pixels, String truth, String taken, double confidence) {
    /** Refuses pixels that do not fit the shape. */
    public Misread {
      Check.that(
          shape.channels() == 1 || shape.channels() == 3,
          "channels of an example",
          "1 or 3",
          shape.channels());
      Check.that(pixels.length == shape.size(), "pixels", "" + shape.size(), pixels.length);
      Check.in(confidence, 0, 1, "confidence");
      pixels = pixels.clone();
    }

    /** {@return a copy of the pixels} */
    @Override
    public byte[] pixels() {
      return pixels.clone();
    }
  }

  /** Refuses a score that does not go with the result, and steps that do not rise. */
  public TrainingReport {
    oneLine(title, "title");
    oneLine(data, "data");
    classes = List.copyOf(classes);
    spent = List.copyOf(spent);
    plan = List.copyOf(plan);
    for (int i = 1; i < spent.size(); i++) {
      Check.that(
          spent.get(i).step > spent.get(i - 1).step,
          "step",
          "greater than " + spent.get(i - 1).step,
          spent.get(i).step);
    }
    Check.that(
        score instanceof Score.PublicTest || result.evaluations().isEmpty(),
        "score",
        "that of a public test set where the result has evaluations",
        score);
    if (!classes.isEmpty()
        && result.evaluation().orElse(null) instanceof Classification evaluation) {
      int count = evaluation.confusion().size();
      Check.that(classes.size() == count, "class names", "none or " + count, classes.size());
    }
  }

  private static void oneLine(String text, String name) {
    Check.that(!text.isBlank() && Check.oneLine(text), name, "a text on one line", text);
  }

  /**
   * One file that needs no other and asks the network for nothing. To be written as UTF-8.
   *
   * @return the text of the page
   */
  public String html() {
    return new Page(this).html();
  }
}
