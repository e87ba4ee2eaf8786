package dev.discreet.audit.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.audit.membership.RocCurve.Point;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RocCurveTest {
  @Test
  void aCurveByHand() {
    RocCurve curve = RocCurve.of(new double[] {4, 3, 1}, new double[] {3, 2, 0, -1});
    assertEquals(
        List.of(
            new Point(0, 0),
            new Point(0, 1.0 / 3),
            new Point(0.25, 2.0 / 3),
            new Point(0.5, 2.0 / 3),
            new Point(0.5, 1),
            new Point(0.75, 1),
            new Point(1, 1)),
        curve.points());
    assertEquals(1.0 / 3, curve.truePositiveRate(0));
    assertEquals(1.0 / 3, curve.truePositiveRate(0.24));
    assertEquals(2.0 / 3, curve.truePositiveRate(0.25));
    assertEquals(1, curve.truePositiveRate(0.5));
    assertEquals(3, curve.members());
    assertEquals(4, curve.others());
  }

  @Test
  void allScoresEqualAreBlindGuessing() {
    RocCurve curve = RocCurve.of(new double[] {0, -0.0, 0}, new double[] {0, 0});
    assertEquals(List.of(new Point(0, 0), new Point(1, 1)), curve.points());
    assertEquals(0.5, curve.area());
    assertEquals(0, curve.truePositiveRate(0.99));
  }

  /** Mann and Whitney: how often a member's score is larger, equal ones counting half. */
  @Test
  void theAreaIsTheRankSum() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 20; round++) {
      double[] in = random.ints(30 + round, 0, 12).asDoubleStream().map(x -> x + 1).toArray();
      double[] out = random.ints(50, 0, 12).asDoubleStream().toArray();
      double wins = 0;
      for (double one : in) {
        for (double other : out) {
          wins += one > other ? 1 : one == other ? 0.5 : 0;
        }
      }
      assertEquals(wins / (in.length * out.length), RocCurve.of(in, out).area(), 1e-12);
    }
  }

  @Test
  void refusesWhatHasNoCurve() {
    assertThrows(
        IllegalArgumentException.class,
        () -> RocCurve.of(new double[] {1, Double.NaN}, new double[] {1}));
    assertThrows(
        IllegalArgumentException.class, () -> RocCurve.of(new double[] {1}, new double[0]));
  }
}
