package dev.discreet.accounting.internal.pairs;

/**
 * Arithmetic of folded probabilities: +tail where the tail is the smaller side, −head where the
 * head is.
 */
public final class FoldedProbability {
  private FoldedProbability() {}

  public static double tail(double folded) {
    return isTail(folded) ? folded : 1 + folded;
  }

  public static double head(double folded) {
    return isTail(folded) ? 1 - folded : -folded;
  }

  /** Folds a tail and its head, each precise relative to itself. */
  public static double of(double tail, double head) {
    return tail <= head ? tail : -head;
  }

  /** The mass between two places, {@code low} being the folded value at the lower one. */
  public static double mass(double low, double high) {
    double difference = low - high;
    return !isTail(low) && isTail(high) ? 1 + difference : difference;
  }

  /** Zero is a tail, minus zero a head. */
  private static boolean isTail(double folded) {
    return folded > 0 || (folded == 0 && 1 / folded > 0);
  }
}
