package dev.discreet.audit.membership;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many members an attacker finds (true positives) by how many others are accused (false
 * positives), over all thresholds of its scores.
 *
 * @param points from (0, 0) to (1, 1), both rates rising
 * @param members how many players were in the data
 * @param others how many were not
 */
public record RocCurve(List<Point> points, int members, int others) {

  /** The rates at one threshold. */
  public record Point(double falsePositiveRate, double truePositiveRate) {}

  public RocCurve {
    points = List.copyOf(points);
  }

  /**
   * The curve of scores, of which larger ones look more like members.
   *
   * @param members scores of those who were in the data
   * @param others scores of those who were not
   */
  public static RocCurve of(double[] members, double[] others) {
    double[] in = falling(members);
    double[] out = falling(others);
    List<Point> points = new ArrayList<>();
    points.add(new Point(0, 0));
    int hits = 0;
    int falseHits = 0;
    while (hits < in.length || falseHits < out.length) {
      double cut =
          Math.max(
              hits < in.length ? in[hits] : Double.NEGATIVE_INFINITY,
              falseHits < out.length ? out[falseHits] : Double.NEGATIVE_INFINITY);
      // No threshold tells equal scores apart.
      while (hits < in.length && in[hits] >= cut) {
        hits++;
      }
      while (falseHits < out.length && out[falseHits] >= cut) {
        falseHits++;
      }
      points.add(new Point((double) falseHits / out.length, (double) hits / in.length));
    }
    return new RocCurve(points, in.length, out.length);
  }

  private static double[] falling(double[] scores) {
    Check.that(scores.length > 0, "scores", "at least one on each side", 0);
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    // Not a number is sorted last.
    Check.that(!Double.isNaN(sorted[sorted.length - 1]), "score", "a number", Double.NaN);
    for (int i = 0; i < sorted.length / 2; i++) {
      double swapped = sorted[i];
      sorted[i] = sorted[sorted.length - 1 - i];
      sorted[sorted.length - 1 - i] = swapped;
    }
    return sorted;
  }

  /** The most true positives of a threshold with no more false positives than this. */
  public double truePositiveRate(double falsePositiveRate) {
    Check.in(falsePositiveRate, 0, 1, "false-positive rate");
    double found = 0;
    for (Point point : points) {
      if (point.falsePositiveRate > falsePositiveRate) {
        break;
      }
      found = point.truePositiveRate;
    }
    return found;
  }

  /** The area under the curve: how often a member has a larger score than another; ½ is blind. */
  public double area() {
    double area = 0;
    for (int i = 1; i < points.size(); i++) {
      Point from = points.get(i - 1);
      Point to = points.get(i);
      area +=
          (to.falsePositiveRate - from.falsePositiveRate)
              * (to.truePositiveRate + from.truePositiveRate)
              / 2;
    }
    return area;
  }

  /** Not all of its points. */
  @Override
  public String toString() {
    return "area "
        + Digits.shortest(area())
        + " of "
        + members
        + " members and "
        + others
        + " others";
  }
}
