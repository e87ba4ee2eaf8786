package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.Contrast.Order;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against values worked out by hand, with the t of printed tables. */
class ContrastTest {
  private static final double NAN = Double.NaN;
  private static final Sample NONE = Sample.of();

  @Test
  void aSample() {
    Sample sample = Sample.of(4, 6, 8);
    assertEquals(6, sample.mean());
    assertEquals(2, sample.deviation());
    assertEquals("6.00 ± 2.00", sample.text(2));
    assertEquals("4.0", Sample.of(4).text(1));
    assertEquals(NAN, Sample.of(4).deviation());
    assertEquals(NAN, NONE.mean());
    assertEquals("—", NONE.text(2));
    assertEquals("0.00", Sample.of(-0.001).text(2));
    assertEquals("-0.01", Sample.of(-0.012).text(2));
    assertEquals("∞", Sample.of(1, Double.POSITIVE_INFINITY).text(2));
    assertEquals("not a number", Sample.of(1, NAN).text(2));
  }

  /** Of 4, 6, 8: 6 ± 4.302653·2·√(4/3), which is 9.936. */
  @Test
  void whatOneMoreRunMightGive() {
    Sample sample = Sample.of(4, 6, 8);
    assertTrue(sample.mightGive(15.9, 0));
    assertFalse(sample.mightGive(16, 0));
    assertTrue(sample.mightGive(16, 0.1));
    assertFalse(Sample.of(4).mightGive(4, 0.1));
  }

  @Test
  void welch() {
    // Both variances 1: 4 degrees of freedom, t = 2.776445, √(1/3 + 1/3).
    Contrast near = Contrast.of(Sample.of(1, 2, 3), Sample.of(11, 12, 13));
    assertEquals(-10, near.difference());
    assertEquals(2.776445 * Math.sqrt(2.0 / 3), near.radius(), 1e-5);
    assertEquals(Order.BELOW, near.order());
    // Both variances 2: 2 degrees, t = 4.302653, √(1 + 1).
    Contrast two = Contrast.of(Sample.of(10, 12), Sample.of(5, 7));
    assertEquals(4.302653 * Math.sqrt(2), two.radius(), 1e-5);
    assertEquals(Order.UNDECIDED, two.order());
    // Variances 0 and 4 of three: that of the second alone, 2 degrees.
    Contrast one = Contrast.of(Sample.of(1, 1, 1), Sample.of(4, 6, 8));
    assertEquals(4.302653 * Math.sqrt(4.0 / 3), one.radius(), 1e-5);
    // Runs that are all alike leave no doubt.
    Contrast same = Contrast.of(Sample.of(1, 1), Sample.of(2, 2));
    assertEquals(0, same.radius());
    assertEquals(Order.BELOW, same.order());
    assertEquals(Order.UNDECIDED, Contrast.of(Sample.of(2, 2), Sample.of(2, 2)).order());
    Contrast hardly = Contrast.of(Sample.of(1, 1), Sample.of(1.001, 1.001));
    assertEquals("+0.00 ± 0.00", hardly.text());
  }

  @Test
  void withOneSeedTheDeviationIsBorrowed() {
    // Pooled (1·2 + 4·2)/4 = 2.5 with 4 degrees; samples of one say nothing.
    List<Sample> alike = List.of(Sample.of(1, 2, 3), Sample.of(4, 6, 8), Sample.of(99));
    Contrast pooled = Contrast.of(Sample.of(5), Sample.of(3, 3, 3, 3), alike);
    assertEquals(2.776445 * Math.sqrt(2.5 * 1.25), pooled.radius(), 1e-5);
    assertEquals(NAN, Contrast.of(Sample.of(5), Sample.of(3), List.of()).radius());
    assertEquals(NAN, Contrast.of(Sample.of(5), Sample.of(3)).radius());
  }

  /** Differences 1, 2, 3 of runs that differ by far more: t = 4.302653, deviation 1. */
  @Test
  void pairs() {
    List<ToyTrial> first =
        IntStream.range(0, 4).mapToObj(i -> new ToyTrial("a" + i, w -> null)).toList();
    List<ToyTrial> second =
        IntStream.range(0, 4).mapToObj(i -> new ToyTrial("b" + i, w -> null)).toList();
    Map<String, Outcome> kept = new HashMap<>();
    for (int i = 0; i < 3; i++) {
      kept.put("a" + i, Outcome.of("x", 100 * i + i + 1));
      kept.put("b" + i, Outcome.of("x", 100 * i));
    }
    // Without its partner it counts for nothing.
    kept.put("a3", Outcome.of("x", 1000));
    Contrast paired = new Outcomes(kept).paired(first, second, "x");
    assertEquals(2, paired.difference());
    assertEquals(4.302653 / Math.sqrt(3), paired.radius(), 1e-5);
    assertEquals("not run yet", new Outcomes(Map.of()).paired(first, second, "x").text());
    kept.put("b1", Outcome.of("x", NAN));
    assertEquals("not a number", new Outcomes(kept).paired(first, second, "x").text());
    assertEquals("+1.00, too few seeds for an interval", Contrast.paired(Sample.of(1)).text());
  }

  @Test
  void margins() {
    assertEquals("confirmed (+0.20 ± 0.10)", new Contrast(0.2, 0.1).alike(0.5).text());
    assertEquals("refuted (-0.90 ± 0.10)", new Contrast(-0.9, 0.1).alike(0.5).text());
    assertEquals("inconclusive (-0.45 ± 0.10)", new Contrast(-0.45, 0.1).alike(0.5).text());
    assertEquals("confirmed (+3.00 ± 1.00)", new Contrast(3, 1).notBelow(0.5).text());
    assertEquals("refuted (-3.00 ± 1.00)", new Contrast(-3, 1).notBelow(0.5).text());
    assertEquals("inconclusive (-1.00 ± 1.00)", new Contrast(-1, 1).notBelow(0.5).text());
    assertEquals("confirmed (-7.00 ± 1.00)", new Contrast(-7, 1).farBelow(5).text());
    assertEquals("refuted (-3.00 ± 1.00)", new Contrast(-3, 1).farBelow(5).text());
    assertEquals("inconclusive (-5.00 ± 1.00)", new Contrast(-5, 1).farBelow(5).text());
    String unknown = "inconclusive (+0.10, too few seeds for an interval)";
    assertEquals(unknown, new Contrast(0.1, NAN).alike(0.5).text());
    assertEquals(unknown, new Contrast(0.1, NAN).notBelow(0.5).text());
    assertEquals("not run yet", new Contrast(NAN, NAN).alike(0.5).text());
    assertEquals("+0.00580 ± 0.00040", new Contrast(0.0058, 0.0004).text());
  }

  @Test
  void verdicts() {
    assertEquals(List.of(Ruling.CONFIRMED), new Contrast(2, 1).verdict(Order.ABOVE).rulings());
    assertEquals(List.of(Ruling.REFUTED), new Contrast(2, 1).verdict(Order.BELOW).rulings());
    assertEquals(List.of(Ruling.INCONCLUSIVE), new Contrast(1, 2).verdict(Order.BELOW).rulings());
    assertEquals(List.of(), new Contrast(NAN, NAN).verdict(Order.BELOW).rulings());
    assertEquals("confirmed (+2.00 ± 1.00)", new Contrast(2, 1).verdict(Order.ABOVE).text());
    assertEquals("refuted (+2.00 ± 1.00)", new Contrast(2, 1).verdict(Order.BELOW).text());
    assertEquals("inconclusive (-0.50 ± 1.00)", new Contrast(-0.5, 1).verdict(Order.BELOW).text());
    assertEquals(
        "inconclusive (+2.00, too few seeds for an interval)",
        new Contrast(2, NAN).verdict(Order.ABOVE).text());
    assertEquals("not run yet", Contrast.of(NONE, Sample.of(1, 2)).verdict(Order.ABOVE).text());
    assertEquals("not run yet", Contrast.of(Sample.of(1), NONE, List.of()).text());
    // A run that diverged is no run that is missing.
    assertEquals("not a number", Contrast.of(Sample.of(NAN), Sample.of(1)).text());
    assertEquals(Order.UNDECIDED, Contrast.of(Sample.of(NAN), Sample.of(1)).order());
  }

  @Test
  void outcomesOverSeeds() {
    Trial first = new ToyTrial("seed 1", workshop -> null);
    Trial second = new ToyTrial("seed 2", workshop -> null);
    Trial third = new ToyTrial("seed 3", workshop -> null);
    Outcomes outcomes =
        new Outcomes(
            Map.of(
                "seed 1", new Outcome(Map.of("a", List.of(1.0, 2.0, 3.0))),
                "seed 3", new Outcome(Map.of("a", List.of(3.0, 6.0)))));
    List<Trial> all = List.of(first, second, third);
    assertEquals(List.of(3.0, 6.0), outcomes.sample(all, "a").values());
    assertEquals(List.of(2.0, 4.0), outcomes.meanCurve(all, "a"));
    assertEquals(List.of(), outcomes.meanCurve(List.of(second), "a"));
    String refused =
        assertThrows(IllegalArgumentException.class, () -> outcomes.sample(all, "b")).getMessage();
    assertTrue(refused.contains("one of [a]. Provided value: b"), refused);
    assertEquals(NAN, new Outcome(Map.of("a", List.of())).value("a"));
  }

  @Test
  void effort() {
    Effort quick = new Effort(true, OptionalInt.empty());
    assertEquals(1, quick.seeds(3).count());
    assertEquals(List.of(1, 2, 3), Effort.full().seeds(3).boxed().toList());
    assertEquals(5, new Effort(true, OptionalInt.of(5)).seeds(3).count());
    assertEquals("few", quick.pick("few", "many"));
    assertThrows(IllegalArgumentException.class, () -> new Effort(false, OptionalInt.of(0)));
  }

  @Test
  void timeLeft() {
    TimeLeft pace = new TimeLeft(2);
    for (int i = 0; i < 4; i++) {
      pace.toDo("a");
      pace.toDo("b");
    }
    assertEquals("", TimeLeft.words(pace.secondsLeft()));
    pace.done("a", 100);
    // Three of a and, as long as that is all there is to go by, four of b; on two threads.
    assertEquals(350, pace.secondsLeft(), 1e-9);
    pace.known("b", 10);
    assertEquals(170, pace.secondsLeft(), 1e-9);
    assertEquals("about 3 min left", TimeLeft.words(pace.secondsLeft()));
    for (int i = 0; i < 3; i++) {
      pace.leave("a");
      pace.leave("b");
    }
    // One is left, and a second thread does not help it.
    assertEquals(10, pace.secondsLeft(), 1e-9);
    pace.done("b", 10);
    assertEquals("", TimeLeft.words(pace.secondsLeft()));
    assertEquals("about 40 s left", TimeLeft.words(40));
    assertEquals("about 2.5 h left", TimeLeft.words(9000));
  }
}
