package dev.discreet.accounting.math;

/**
 * A sum of non-negative terms kept by its logarithm, so that neither e^20000 nor e^−20000 is lost.
 */
public final class LogSum {
  // e^−38 is below half of the last digit of 1: the sum stays what it is, and needs no exponential.
  private static final double INVISIBLE = 38;

  private double max = Double.NEGATIVE_INFINITY;
  private double scaled;

  /** Adds weight·e^logTerm. */
  public void add(double logTerm, double weight) {
    if (weight == 0) {
      return;
    }
    if (Double.isNaN(logTerm)) {
      max = Double.POSITIVE_INFINITY; // unknown: the safe side
      scaled = 1;
    } else if (logTerm > max) {
      scaled = scaled * Math.exp(max - logTerm) + weight;
      max = logTerm;
    } else if (logTerm > max - (scaled >= weight ? INVISIBLE : 800)) {
      scaled += weight * Math.exp(logTerm - max);
    }
  }

  public void add(double logTerm) {
    add(logTerm, 1);
  }

  public double log() {
    return max + Math.log(scaled);
  }
}
