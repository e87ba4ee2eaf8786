package dev.discreet.core.evaluate;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;

/**
 * What one release of a held-out score is made of, sum after sum. First the score. Where one number
 * is predicted, then how far labels lie from ½ and the square of that. Where all figures are asked
 * for, then of classes the confusion matrix, how often each bin of probability came true or not,
 * and how far probabilities lie from the middles of their bins; of a number 1 − |error|.
 *
 * <p>Each family of sums has a weight, which is the most that a unit adds to it in ℓ₂. A unit adds
 * the mean of what its examples add, and a mean of vectors is no longer than the longest of them:
 * so a unit moves all together by no more than the root of the sum of the squared weights.
 */
record HeldOutParts(Scoring how, Loss loss, int outputs, boolean number, boolean figures) {
  /** More classes than these have no confusion matrix: its noise would be all there is. */
  static final int MOST_CLASSES = 20;

  static final double CONFUSION = 0.5;
  static final double BINS = 0.5;
  static final double SAID = 0.125;
  static final double ABSOLUTE = 0.5;

  static HeldOutParts of(Layout layout, int targets, boolean figures) {
    Scoring how = Scoring.of(layout, targets);
    boolean number = layout.outputs() == 1 && targets == 1 && how == Scoring.NUMBERS;
    return new HeldOutParts(how, layout.network().loss(), layout.outputs(), number, figures);
  }

  static HeldOutParts of(Layout layout, TestSet.Released test) {
    return of(layout, test.rows().targets(), test.allFigures());
  }

  int classes() {
    return how == Scoring.NUMBERS ? 0 : how.classes(outputs);
  }

  /** The sums of the score itself, and of how labels vary. */
  int score() {
    return number ? 3 : 1;
  }

  boolean hasConfusion() {
    return figures && classes() > 0 && classes() <= MOST_CLASSES;
  }

  boolean hasBins() {
    return figures && classes() > 0 && Scoring.saysProbabilities(loss, outputs);
  }

  boolean hasAbsolute() {
    return figures && number;
  }

  /** Where the confusion matrix begins. */
  int confusionAt() {
    return score();
  }

  /** Where the bins begin: of each first what came true, then what did not. */
  int binsAt() {
    return confusionAt() + (hasConfusion() ? classes() * classes() : 0);
  }

  int saidAt() {
    return binsAt() + (hasBins() ? 2 * CalibrationCurve.BINS : 0);
  }

  int absoluteAt() {
    return saidAt() + (hasBins() ? CalibrationCurve.BINS : 0);
  }

  int size() {
    return absoluteAt() + (hasAbsolute() ? 1 : 0);
  }

  double sensitivity() {
    double squares =
        1
            + (number ? 1 / 4.0 + 1 / 16.0 : 0)
            + (hasConfusion() ? CONFUSION * CONFUSION : 0)
            + (hasBins() ? BINS * BINS + SAID * SAID : 0)
            + (hasAbsolute() ? ABSOLUTE * ABSOLUTE : 0);
    return squares == 1 ? 1 : Math.nextUp(Math.sqrt(squares));
  }
}
