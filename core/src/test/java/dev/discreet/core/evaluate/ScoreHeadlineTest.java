package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoreHeadlineTest {
  private static final LabelUnit PAY = new LabelUnit("pay", 20_000);
  private static final String LEDGER = "by two deviations of its noise; on the ledger";

  private static ScoreHeadline accuracy(double value, double error) {
    return ScoreHeadline.of(
        new NoisyScore(true, value, new ScoreNoise(error, 0.5), 100, 1, Double.NaN), PAY);
  }

  private static NoisyScore number(double squared, double error, double variance) {
    return new NoisyScore(false, 1 - squared, new ScoreNoise(error, 11 / 12.0), 100, 1, variance);
  }

  @Test
  void exactFiguresStandBesideWhatKnowsNothing() {
    assertEquals(
        new ScoreHeadline(
            "accuracy", "75.00%", "95%: 53.13% to 88.81%; always the largest class: 60.00%"),
        ScoreHeadline.of(
            new Evaluation.Classification(20, 0.5, List.of(List.of(5, 3), List.of(2, 10))), PAY));
    assertEquals(
        new ScoreHeadline("RMSE", "2000 pay", "R² 0.750; always the mean: 4000 pay"),
        ScoreHeadline.of(new Evaluation.Regression(9, 0.01, 0.01, 0.04), PAY));
    NumberQuality quality = new NumberQuality(0.05, 0.01, 0.001, 0.05);
    assertEquals(
        new ScoreHeadline(
            "RMSE",
            "2000 pay",
            "95%: 1813 to 2206; R² 0.750 (95%: 0.630 to 0.831); always the mean: 4000 pay"),
        ScoreHeadline.of(
            new Evaluation.Regression(9, 0.01, 0.01, 0.04, Optional.of(quality)), PAY));
    assertEquals(
        new ScoreHeadline("RMSE", "0.1", "always the mean: 0"),
        ScoreHeadline.of(new Evaluation.Regression(9, 0.01, 0.01, 0), LabelUnit.SCALED));
  }

  @Test
  void anAccuracyIsShownAsFarAsItsNoiseAllows() {
    assertEquals(new ScoreHeadline("accuracy", "91.20% ± 2.4", LEDGER), accuracy(0.912, 0.012));
    assertEquals(new ScoreHeadline("accuracy", "at least 97.60%", LEDGER), accuracy(1, 0.012));
    assertEquals(new ScoreHeadline("accuracy", "at most 2.40%", LEDGER), accuracy(0, 0.012));
    assertEquals(
        new ScoreHeadline(
            "accuracy",
            "says nothing",
            "its noise leaves 61.20% to 100.00%; a larger --metric-share, more held-out units or a"
                + " larger epsilon would help"),
        accuracy(0.912, 0.15));
  }

  /** An error of 0.00000 ± 0.038 is no error of 0. */
  @Test
  void anErrorIsNeverShownAsNothing() {
    assertEquals("says nothing", ScoreHeadline.of(number(0, 0.019, 0.05), PAY).figure());
    assertEquals(
        "its noise leaves 0 to 3899 pay; " + ScoreHeadline.HELP,
        ScoreHeadline.of(number(0, 0.019, 0.05), PAY).detail());
    assertEquals(
        new ScoreHeadline(
            "RMSE", "at most 632.5 pay", "R² at least 0.979; always the mean: 4472 pay; " + LEDGER),
        ScoreHeadline.of(number(0, 0.0005, 0.05), PAY));
    assertEquals(
        new ScoreHeadline(
            "RMSE",
            "2000 pay, from 1897 to 2098 pay",
            "R² 0.800, from 0.774 to 0.825; always the mean: 4472 pay; " + LEDGER),
        ScoreHeadline.of(number(0.01, 0.0005, 0.05), PAY));
  }

  /** The noise is small beside labels that fill their bounds, and large beside these. */
  @Test
  void howLabelsVaryDecidesWhatAnErrorSays() {
    assertFalse(number(0.001, 0.0005, 0.05).saysNothing());
    assertTrue(number(0.001, 0.0005, 0.0015).saysNothing());
    NoisyScore worse = number(0.2, 0.0005, 0.001);
    assertFalse(worse.saysNothing(), "far worse than the mean, whatever the noise");
    assertTrue(ScoreHeadline.of(worse, PAY).detail().startsWith("R² at most -8"), worse::toString);
  }

  /** 1/2, 1/10 and labels that are spread evenly: known before anything is spent. */
  @ParameterizedTest
  @CsvSource({
    "dense(1) loss=logistic, 0.5, 160, 161",
    "dense(10), 0.1, 88, 89",
    "dense(1) loss=squared, 0.9166666666666666, 1099, 1100"
  })
  void thePlanKnowsWhatWillSayNothing(String network, double guess, long few, long enough) {
    Examples none = Examples.of(Shape.vector(2), new float[0], 1, new float[0]);
    TestSet.Released test = new TestSet.Released(none, Units.each(0), 0.1);
    var layout = Network.parse(network).on(Shape.vector(2));
    assertEquals(guess, ScoreNoise.of(layout, test.declaring(few), 10).guess());
    assertTrue(ScoreNoise.of(layout, test.declaring(few), 10).drowns());
    assertFalse(ScoreNoise.of(layout, test.declaring(enough), 10).drowns());
  }
}
