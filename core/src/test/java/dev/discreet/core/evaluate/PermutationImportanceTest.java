package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.PermutationImportance.Column;
import dev.discreet.core.evaluate.PermutationImportance.Importance;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PermutationImportanceTest {
  private static final LabelUnit EUROS = new LabelUnit("euros", 10);
  private static final List<Column> COLUMNS =
      List.of(new Column("first", 0, 1), new Column("pair", 1, 2), new Column("none", 3, 1));

  /** Four inputs, of which the last is not looked at. */
  private static Layout layout(String loss) {
    return Network.parse("dense(1) loss=" + loss).on(Shape.vector(4));
  }

  private static Examples rows(Random random, int n, boolean classes) {
    float[] inputs = new float[4 * n];
    float[] targets = new float[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 4; j++) {
        inputs[4 * i + j] = (float) random.nextGaussian();
      }
      double sum = inputs[4 * i] + inputs[4 * i + 1] - 0.5 * inputs[4 * i + 2];
      targets[i] =
          classes
              ? random.nextDouble() < 1 / (1 + Math.exp(-sum)) ? 1 : 0
              : (float) (sum + 0.3 * random.nextGaussian());
    }
    return Examples.of(Shape.vector(4), inputs, 1, targets);
  }

  private static List<Importance> asked(String loss, Examples rows) {
    float[] parameters = {1, 1, -0.5f, 0, 0};
    return PermutationImportance.of(
        Engine.standard(), layout(loss), parameters, rows, COLUMNS, EUROS);
  }

  /**
   * The error with a column shuffled is normal of a known variance, so the mean absolute error is
   * known: √(2/π)·σ in units of 10 euros.
   */
  private static double exact(double variance) {
    return 10 * Math.sqrt(2 / Math.PI) * (Math.sqrt(0.09 + 2 * variance) - 0.3);
  }

  @Test
  void aNumberIsHeldAgainstWhatIsKnown() {
    List<Importance> all = asked("squared", rows(new Random(1), 20_000, false));
    double[] exact = {exact(1), exact(1.25), 0};
    for (int k = 0; k < 3; k++) {
      Metric worse = all.get(k).worse().get(0);
      assertEquals(COLUMNS.get(k).name(), all.get(k).column());
      assertEquals(Metric.Kind.MAE, worse.kind());
      assertEquals(exact[k], worse.value(), 0.2, "" + worse);
      assertEquals("euros", worse.unit());
    }
    // What the model does not look at is worth nothing, to the last bit.
    assertEquals(0, all.get(2).worse().get(0).value());
  }

  @Test
  void classesLoseAccuracyAndLogLoss() {
    List<Importance> all = asked("logistic", rows(new Random(2), 5_000, true));
    assertEquals(
        List.of(Metric.Kind.ACCURACY, Metric.Kind.LOG_LOSS),
        all.get(0).worse().stream().map(Metric::kind).toList());
    for (int k = 0; k < 2; k++) {
      double first = all.get(0).worse().get(k).value();
      double pair = all.get(1).worse().get(k).value();
      assertTrue(pair > first && first > 0.05, first + " " + pair);
      assertEquals(0, all.get(2).worse().get(k).value());
    }
    assertEquals(all, asked("logistic", rows(new Random(2), 5_000, true)));
  }

  /**
   * 400 samples of 300 rows: the share that is held differs from 95% by more than five deviations,
   * 0.055, with a chance below 1e-6; seeds are fixed. Intervals are a little wide, never 100%.
   */
  @Test
  @Tag("statistical")
  void intervalsHoldWhatIsTrueOfAllRows() {
    int held = 0;
    int narrow = 0;
    int runs = 400;
    for (int run = 0; run < runs; run++) {
      Metric worse = asked("squared", rows(new Random(run), 300, false)).get(0).worse().get(0);
      double exact = exact(1);
      held += worse.low() <= exact && exact <= worse.high() ? 1 : 0;
      double third = (worse.high() - worse.low()) / 6;
      narrow += Math.abs(worse.value() - exact) <= third ? 1 : 0;
    }
    assertTrue(held > (0.95 - 0.055) * runs && held < 0.999 * runs, "held " + held);
    // An interval of a third of the width would be noticed.
    assertTrue(narrow < 0.85 * runs, "held by a third " + narrow);
  }

  @Test
  void oneRowHasNothingToBeShuffledWith() {
    Examples one = rows(new Random(1), 1, false);
    assertThrows(IllegalArgumentException.class, () -> asked("squared", one));
  }
}
