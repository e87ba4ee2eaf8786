package dev.discreet.spark.ml;

import java.util.Optional;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.tuning.ValidatorParams;

/**
 * Refuses searches that nobody pays for. {@code CrossValidator} and {@code TrainValidationSplit}
 * fit a stage many times and keep one model, whose statement would then tell of one fit alone; what
 * the others told is in the choice. So does {@code fit} with several maps of parameters.
 */
final class TuningRefusal {
  private static final String PAID =
      "DiscreetTuner, which charges the whole search, or one fit with settings that were chosen"
          + " without these rows";

  private TuningRefusal() {}

  /**
   * Refuses a fit inside a search of Spark's. Spark's own code is on the stack of every such fit,
   * in whatever thread and pipeline it is done; an honest fit never has it there.
   */
  static void check(String stage) {
    StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.flatMap(each -> search(each).stream()).findFirst())
        .ifPresent(
            search -> {
              throw refused(stage, search);
            });
  }

  /** The search that a frame of the stack belongs to. */
  private static Optional<String> search(StackWalker.StackFrame frame) {
    Class<?> of = frame.getDeclaringClass();
    if (ValidatorParams.class.isAssignableFrom(of) && !of.isInterface()) {
      return Optional.of(of.getSimpleName());
    }
    // What Estimator does with each of several maps; one map goes through no function of its own.
    return of == Estimator.class && frame.getMethodName().startsWith("$anonfun$fit")
        ? Optional.of("several maps of parameters")
        : Optional.empty();
  }

  static IllegalArgumentException refused(String stage, String search) {
    return new IllegalArgumentException(
        "a search over "
            + stage
            + " must be done by "
            + PAID
            + ": each of its fits spends, and its choice tells of all of them. Provided value: "
            + search);
  }
}
