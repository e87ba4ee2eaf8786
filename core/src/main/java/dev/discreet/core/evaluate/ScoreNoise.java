package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Layout;

/**
 * The noise of a released score: public numbers alone tell it, before anything is spent.
 *
 * @param standardError of the score, which is in [0, 1]
 * @param guess the score of one who knows nothing: of one class out of so many that are alike, or
 *     of the middle where labels are spread evenly over their bounds
 */
public record ScoreNoise(double standardError, double guess) {
  public ScoreNoise {
    Check.nonNegative(standardError, "standard error of a score");
    Check.in(guess, 0, 1, "score of a guess");
  }

  /** The noise of the one release of a run's score. */
  public static ScoreNoise of(Layout layout, TestSet.Released test, double noiseMultiplier) {
    int targets = test.rows().targets();
    double guess =
        switch (Scoring.of(layout, targets)) {
          case TWO_CLASSES -> 0.5;
          case CLASSES -> 1.0 / layout.outputs();
          case NUMBERS -> 1 - 1.0 / 12;
        };
    double sensitivity = HeldOutParts.of(layout, test).sensitivity();
    return new ScoreNoise(noiseMultiplier * sensitivity / test.declaredUnits(), guess);
  }

  /** Two standard errors. */
  public double twice() {
    return 2 * standardError;
  }

  /**
   * Whether two to either side cover half or more of what lies between guessing and being right.
   */
  public boolean drowns() {
    return 2 * twice() >= (1 - guess) / 2;
  }
}
