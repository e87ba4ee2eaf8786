package dev.discreet.audit.bound;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.math.ClopperPearson;
import java.util.List;

/**
 * How often one event was seen under each of two laws: "the score is above the cut", from outputs
 * with the person and from outputs without.
 *
 * @param hits how often it was seen where it is said to be frequent
 * @param tries out of how many
 * @param falseHits how often it was seen where it is said to be rare
 * @param falseTries out of how many
 */
public record GuessCounts(long hits, long tries, long falseHits, long falseTries) {

  /** Refuses counts that no sample has. */
  public GuessCounts {
    Check.that(tries >= 1 && falseTries >= 1, "tries", "at least 1", tries + " and " + falseTries);
    Check.that(hits >= 0 && hits <= tries, "hits", "in [0, " + tries + "]", hits);
    Check.that(
        falseHits >= 0 && falseHits <= falseTries,
        "false hits",
        "in [0, " + falseTries + "]",
        falseHits);
  }

  /**
   * The same counts, read in all four ways: the event or its opposite, with the person as what is
   * to be found or without. A guarantee holds for neighbours in both orders, so it bounds all four.
   */
  List<GuessCounts> readings() {
    GuessCounts opposite = new GuessCounts(tries - hits, tries, falseTries - falseHits, falseTries);
    return List.of(this, swapped(), opposite, opposite.swapped());
  }

  private GuessCounts swapped() {
    return new GuessCounts(falseHits, falseTries, hits, tries);
  }

  /**
   * A bound on the event's probability where it is frequent.
   *
   * @param tail the chance that it is wrong
   * @return the true-positive rate is at least this
   */
  public double leastTruePositiveRate(double tail) {
    return ClopperPearson.of(hits, tries, tail).low();
  }

  /**
   * A bound on the event's probability where it is rare.
   *
   * @param tail the chance that it is wrong
   * @return the false-positive rate is at most this
   */
  public double mostFalsePositiveRate(double tail) {
    return ClopperPearson.of(falseHits, falseTries, tail).high();
  }

  /**
   * About what {@link #leastTruePositiveRate} will be for more draws (Wilson 1927): quick, to
   * choose by and never to judge by.
   */
  double likelyTruePositiveRate(double deviations) {
    return wilson(hits, tries, -deviations);
  }

  /** About what {@link #mostFalsePositiveRate} will be. */
  double likelyFalsePositiveRate(double deviations) {
    return wilson(falseHits, falseTries, deviations);
  }

  private static double wilson(double hits, double tries, double deviations) {
    double square = deviations * deviations;
    double spread = Math.sqrt(hits * (tries - hits) / tries + square / 4);
    return (hits + square / 2 + deviations * spread) / (tries + square);
  }
}
