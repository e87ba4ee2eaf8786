package dev.discreet.report;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import java.util.ArrayList;
import java.util.List;

/**
 * What an attacker can do who sees everything released and knows all other data: the least share of
 * false negatives that any test has, by its share of false positives.
 *
 * <p>Each (ε, δ) that the ledger keeps rules out what is below two lines, so the largest of a few
 * of them is a bound at every point, at a fraction of the work of {@link
 * dev.discreet.accounting.statement.TradeOff} at each.
 */
final class Attack {
  private static final int LINES = 24;

  // A ledger of many different releases takes its time for each line, and so does one of estimated
  // norms.
  private static final int FEW_LINES = 10;
  private static final int MANY = 10;
  private static final int POINTS = 80;

  // Steeper lines than e^8 are not told from the edge of the picture.
  private static final double STEEPEST = 8;

  // A wide bracket is as certified as a narrow one.
  private static final PldAccountant ACCOUNTANT = new PldAccountant(1e-2);

  private final List<Guarantee> lines = new ArrayList<>();

  Attack(Ledger ledger, double epsilon) {
    double steepest = Math.min(STEEPEST, epsilon);
    boolean slow =
        ledger.totals().size() > MANY
            || ledger.totals().keySet().stream().anyMatch(Attack::isEstimated);
    int count = slow ? FEW_LINES : LINES;
    for (int i = 0; i <= count; i++) {
      // Denser where a line is seen for longest.
      lines.add(ACCOUNTANT.delta(ledger, steepest * Math.pow((double) i / count, 1.5)));
    }
  }

  /** Of one (ε, δ) alone: all that is known of everything that is ever released on an account. */
  Attack(Guarantee only) {
    lines.add(only);
  }

  private static boolean isEstimated(Mechanism mechanism) {
    return mechanism.unsampled() instanceof Mechanism.EstimatedNormGaussian;
  }

  /** The least share of false negatives. */
  double missed(double falsePositives) {
    double most = 0;
    for (Guarantee line : lines) {
      double rest = 1 - line.delta();
      double slope = Math.exp(line.epsilon());
      most = Math.max(most, rest - slope * falsePositives);
      most = Math.max(most, (rest - falsePositives) / slope);
    }
    return most;
  }

  /**
   * The chart, and beside it what it says.
   *
   * @param statement one sentence about what the best attack reaches
   */
  String html(Neighbouring relation, String noun, String statement) {
    String unit = Html.escape(noun);
    return "<div class=\"pair\">"
        + chart("Every attack lies on or above the line")
        + "<div><p>Suppose someone sees everything that was released, knows all other data, and"
        + " wants to find out "
        + question(relation, unit)
        + "</p><p>"
        + Html.escape(statement)
        + "</p><p>The shaded part is all the room that an attacker has: no attack lies below the"
        + " line, which is a certified bound. The smaller that room, the less there is to learn"
        + " about any one "
        + unit
        + ".</p></div></div>\n";
  }

  private static String question(Neighbouring relation, String unit) {
    return switch (relation) {
      case ADD_REMOVE ->
          ("whether one " + unit + " was in the data. A <b>false positive</b> is one who was")
              + " not and is accused; a <b>false negative</b> one who was and is missed.";
      case REPLACE_ONE ->
          ("which of two records one " + unit + " has. A <b>false positive</b> is one who has ")
              + "the first and is taken to have the second; a <b>false negative</b> one who"
              + " has the second and is missed.";
      case ZERO_OUT ->
          ("whether one " + unit + " contributed. A <b>false positive</b> is one who did not")
              + " and is accused; a <b>false negative</b> one who did and is missed.";
    };
  }

  private String chart(String title) {
    List<Chart.Point> bound = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      // Denser where the curve bends most.
      double x = Math.pow(i / (POINTS - 1.0), 2);
      String text =
          Html.percent(x) + " false positives: at least " + down(missed(x)) + " false negatives";
      bound.add(new Chart.Point(x, missed(x), text));
    }
    List<Chart.Point> blind = List.of(new Chart.Point(0, 1, ""), new Chart.Point(1, 0, ""));
    String summary =
        "False negatives of the best attack by its false positives. At 1%, 10% and 50% false"
            + " positives it has at least "
            + (down(missed(0.01)) + ", " + down(missed(0.1)) + " and " + down(missed(0.5)))
            + " false negatives; guessing blindly has 99%, 90% and 50%.";
    return new Chart(
            title,
            summary,
            Axis.share("false positives"),
            Axis.share("false negatives"),
            List.of(
                new Chart.Line("guessing blindly", "second dashed", blind, ""),
                new Chart.Line("best attack, at least", "first filled", bound, "")))
        .html();
  }

  private static String down(double share) {
    return Html.percent(Math.floor(share * 1000) / 1000);
  }
}
