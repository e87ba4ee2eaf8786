package dev.discreet.accounting.internal.pld;

/** A number between two certified ends. */
public record Bracket(double lower, double upper) {

  /** An end that could not be computed becomes one that says nothing. */
  public Bracket {
    lower = Double.isNaN(lower) ? 0 : lower;
    upper = Double.isNaN(upper) ? Double.POSITIVE_INFINITY : upper;
  }

  /** The bracket of the worse of two directions. */
  public static Bracket worse(Bracket a, Bracket b) {
    return new Bracket(Math.max(a.lower, b.lower), Math.max(a.upper, b.upper));
  }

  /** The bracket that follows from two brackets of the same number. */
  static Bracket meet(Bracket a, Bracket b) {
    return new Bracket(Math.max(a.lower, b.lower), Math.min(a.upper, b.upper));
  }

  /** Whether the width is at most a share of the (finite) upper end. */
  public boolean within(double share) {
    return Double.isFinite(upper) && width() <= share * upper;
  }

  double width() {
    return upper - lower;
  }
}
