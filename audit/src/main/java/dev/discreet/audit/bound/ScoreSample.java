package dev.discreet.audit.bound;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.math.Normal;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * An attacker's scores of outputs with the person and of outputs without. Larger is meant to look
 * more like "with", but a bound is as good for scores that point the other way.
 *
 * <p>A cut that was chosen because it looks best cannot be judged by the same draws. So a quarter
 * of them (every fourth) chooses the cut, and the other three quarters count what it finds. For
 * independent draws the two parts are independent, and the count is that of a cut known in advance.
 */
public final class ScoreSample {
  // Choosing well needs fewer draws than judging does.
  private static final int CHOOSES = 4;

  // The ranks tried from each end grow by this factor: fine steps in the tails, where ε is decided.
  private static final double RANK_STEP = 1.25;

  private final double[] with;
  private final double[] without;

  /**
   * @param with scores of independent outputs with the person, in the order of the draws
   * @param without the same without the person
   */
  public ScoreSample(double[] with, double[] without) {
    this.with = checked(with, "with the person");
    this.without = checked(without, "without the person");
  }

  private static double[] checked(double[] scores, String name) {
    Check.that(scores.length >= CHOOSES, "scores " + name, "at least " + CHOOSES, scores.length);
    for (double score : scores) {
      Check.that(!Double.isNaN(score), "score", "a number", score);
    }
    return scores.clone();
  }

  /**
   * How many standard deviations of a chosen count stand for the bounds that the judging draws,
   * which are more, will get.
   */
  static double deviations(double errorRate) {
    return Normal.tailQuantile(errorRate / 2) / Math.sqrt(CHOOSES - 1);
  }

  /**
   * The counts of the best cut, on draws that did not choose it.
   *
   * @param merit what to be best in, such as the bound that the counts are likely to give
   * @return counts as of an event known in advance, in the reading that looked best
   */
  public GuessCounts best(ToDoubleFunction<GuessCounts> merit) {
    double[] chooseWith = part(with, true);
    double[] chooseWithout = part(without, true);
    double bestMerit = Double.NEGATIVE_INFINITY;
    double bestCut = Double.NaN;
    int bestReading = 0;
    for (double cut : cuts(chooseWith, chooseWithout)) {
      int reading = 0;
      for (GuessCounts counts : sortedCounts(chooseWith, chooseWithout, cut).readings()) {
        double value = merit.applyAsDouble(counts);
        if (value > bestMerit || Double.isNaN(bestCut)) {
          bestMerit = value;
          bestCut = cut;
          bestReading = reading;
        }
        reading++;
      }
    }
    return sortedCounts(part(with, false), part(without, false), bestCut)
        .readings()
        .get(bestReading);
  }

  /** The part that chooses, or the one that judges, sorted. */
  private static double[] part(double[] scores, boolean choosing) {
    double[] kept = new double[scores.length];
    int size = 0;
    for (int i = 0; i < scores.length; i++) {
      if ((i % CHOOSES == 0) == choosing) {
        kept[size++] = scores[i];
      }
    }
    double[] part = Arrays.copyOf(kept, size);
    Arrays.sort(part);
    return part;
  }

  private static Iterable<Double> cuts(double[] with, double[] without) {
    TreeSet<Double> seen = new TreeSet<>();
    for (double[] scores : new double[][] {with, without}) {
      Arrays.stream(scores).forEach(seen::add);
    }
    TreeSet<Double> cuts = new TreeSet<>();
    for (double[] scores : new double[][] {with, without}) {
      for (double rank = 1; rank <= scores.length; rank = Math.max(rank + 1, rank * RANK_STEP)) {
        for (double score :
            new double[] {scores[(int) rank - 1], scores[scores.length - (int) rank]}) {
          // Both "at least" and "above" matter where one score is frequent.
          cuts.add(score);
          cuts.add(above(score, seen.higher(score)));
        }
      }
    }
    return cuts;
  }

  /** In the middle of the gap, so that new draws fall on the same sides as those that chose. */
  private static double above(double score, Double next) {
    double middle = next == null ? Double.NaN : score + (next - score) / 2;
    return middle > score && middle <= next ? middle : Math.nextUp(score);
  }

  private static GuessCounts sortedCounts(double[] with, double[] without, double cut) {
    return new GuessCounts(atLeast(with, cut), with.length, atLeast(without, cut), without.length);
  }

  private static int atLeast(double[] sorted, double cut) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      // By <, to which −0 and 0 are one score.
      if (sorted[middle] < cut) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return sorted.length - low;
  }
}
