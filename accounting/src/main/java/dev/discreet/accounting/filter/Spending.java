package dev.discreet.accounting.filter;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.ArrayList;
import java.util.List;

/**
 * What releases cost, as a {@link PrivacyFilter} counts it. Costs of releases that were chosen one
 * after the other add up.
 *
 * <pre>{@code
 * PrivacyFilter ceiling = new PrivacyFilter(8, 1e-6);
 * Spending spent = ceiling.cost(ledger);
 * System.out.println(ceiling.share(spent.plus(spent)));
 * }</pre>
 *
 * @param logMoments (α−1)·D_α at each order α of the filter, D_α being the Rényi divergence;
 *     infinite where none is known
 * @param largestLoss the largest finite privacy loss, which is the ε of pure releases; infinite
 *     where none is known
 * @param ownDelta the probability that a release fails outright
 */
@PublicApi
public record Spending(List<Double> logMoments, double largestLoss, double ownDelta) {
  /**
   * Refuses negative costs.
   *
   * @param logMoments one for each order of the filter, each at least 0
   * @param largestLoss at least 0
   * @param ownDelta at least 0
   */
  public Spending {
    logMoments.forEach(moment -> Check.nonNegative(moment, "log moment"));
    Check.nonNegative(largestLoss, "largest loss");
    Check.nonNegative(ownDelta, "own delta");
    logMoments = List.copyOf(logMoments);
  }

  /**
   * What both cost together.
   *
   * @param other counted by the same filter
   * @return the sum
   */
  public Spending plus(Spending other) {
    Check.that(
        logMoments.size() == other.logMoments.size(),
        "log moments",
        "as many as orders, " + logMoments.size(),
        other.logMoments.size());
    List<Double> sum = new ArrayList<>();
    for (int i = 0; i < logMoments.size(); i++) {
      sum.add(logMoments.get(i) + other.logMoments.get(i));
    }
    return new Spending(sum, largestLoss + other.largestLoss, ownDelta + other.ownDelta);
  }

  /**
   * What the same releases cost when they are made several times, or a part of them.
   *
   * @param factor finite and at least 0
   * @return the product
   */
  public Spending times(double factor) {
    Check.that(factor >= 0 && Double.isFinite(factor), "factor", "finite and at least 0", factor);
    // No times an unknown cost is no cost.
    return new Spending(
        logMoments.stream().map(moment -> factor == 0 ? 0 : factor * moment).toList(),
        factor == 0 ? 0 : factor * largestLoss,
        factor * ownDelta);
  }

  /**
   * Whether two computations found the same cost: on another Java they may differ in the last
   * digits.
   *
   * @param other counted by the same filter
   * @return whether no part of it differs by more than a millionth
   */
  public boolean isNearly(Spending other) {
    boolean near =
        nearlyEqual(largestLoss, other.largestLoss) && nearlyEqual(ownDelta, other.ownDelta);
    for (int i = 0; i < logMoments.size(); i++) {
      near &= nearlyEqual(logMoments.get(i), other.logMoments.get(i));
    }
    return near;
  }

  private static boolean nearlyEqual(double a, double b) {
    return a == b || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
  }

  /**
   * The cost as JSON.
   *
   * @return one JSON object, which {@link #parse} reads back
   */
  public String toJson() {
    return FilterJson.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @param json one JSON object
   * @return the cost
   */
  public static Spending parse(String json) {
    return FilterJson.spending(json);
  }

  /**
   * The same of JSON that is parsed already, as a part of something larger.
   *
   * @param json a map of numbers and lists of them
   * @return the cost
   */
  public static Spending ofParsed(Object json) {
    return FilterJson.spending(json);
  }

  /** The larger of both at each order: what a unit that is in only one of two parts can see. */
  Spending worst(Spending other) {
    List<Double> worst = new ArrayList<>();
    for (int i = 0; i < logMoments.size(); i++) {
      worst.add(Math.max(logMoments.get(i), other.logMoments.get(i)));
    }
    return new Spending(
        worst, Math.max(largestLoss, other.largestLoss), Math.max(ownDelta, other.ownDelta));
  }
}
