package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.NoiseInterval;
import dev.discreet.algorithms.query.NoisyNumber;
import dev.discreet.algorithms.query.Quotients;
import dev.discreet.core.privacy.Norm;
import java.util.OptionalDouble;

/**
 * What is asked of the rows of a cell and follows from a few sums over them. A row adds some
 * numbers to its cell; the noise is on these.
 *
 * <p>A mean and a variance need no further noise for the number of rows: with a the place of a row
 * between the bounds, a mean adds a and 1 − a, and a variance a², 2a(1 − a) and (1 − a)². Each row
 * adds 1 in all, and so does a count.
 */
public sealed interface Measure {
  /** {@return how many numbers a row has to have} */
  int columns();

  /** {@return whether answers of cells add up to that of all together} */
  boolean addsUp();

  /** {@return whether no exact answer is below 0} */
  boolean isNeverNegative();

  /** How many sums. */
  int parts();

  /** Adds what one row adds. A grid step is 1/one. */
  void add(double[] row, long one, long[] to, int at);

  /** The largest norm of what a row adds, in grid steps. */
  double most(Norm norm, long one);

  /** The largest distance between what a row adds and nothing, or what another adds. */
  double apart(Norm norm, long one);

  /** The answer that follows from the sums, with noise of that law on each. */
  NoisyNumber estimate(double[] sums, NoiseSum noise);

  private static double root(Norm norm, double squares) {
    return norm == Norm.L1 ? squares : Math.nextUp(Math.sqrt(squares));
  }

  /** Of rows that add 1 in all, to one number or several. */
  private static double simplex(Norm norm, long one) {
    return root(norm, 2) * one;
  }

  private static double place(ColumnBounds bounds, double value) {
    return (bounds.clamp(value) - bounds.low()) / bounds.width();
  }

  private static NoisyNumber number(double value, double factor, NoiseSum noise) {
    return new NoisyNumber(
        value * factor,
        OptionalDouble.of(noise.deviation() * factor),
        confidence -> NoiseInterval.around(value * factor, noise.reach(confidence) * factor));
  }

  /** How many rows there are. */
  record Count() implements Measure {
    @Override
    public int columns() {
      return 0;
    }

    @Override
    public boolean addsUp() {
      return true;
    }

    @Override
    public boolean isNeverNegative() {
      return true;
    }

    @Override
    public int parts() {
      return 1;
    }

    @Override
    public void add(double[] row, long one, long[] to, int at) {
      to[at] += one;
    }

    @Override
    public double most(Norm norm, long one) {
      return one;
    }

    @Override
    public double apart(Norm norm, long one) {
      return one;
    }

    @Override
    public NoisyNumber estimate(double[] sums, NoiseSum noise) {
      return number(sums[0], 1, noise);
    }
  }

  /**
   * The sum of the numbers, moved into the bounds.
   *
   * @param bounds where numbers are moved to before they are added
   */
  record Sum(ColumnBounds bounds) implements Measure {
    @Override
    public int columns() {
      return 1;
    }

    @Override
    public boolean addsUp() {
      return true;
    }

    @Override
    public boolean isNeverNegative() {
      return bounds.low() >= 0;
    }

    @Override
    public int parts() {
      return 1;
    }

    private double largest() {
      return Math.max(Math.abs(bounds.low()), Math.abs(bounds.high()));
    }

    private long steps(double value, long one) {
      return Math.round(bounds.clamp(value) / largest() * one);
    }

    @Override
    public void add(double[] row, long one, long[] to, int at) {
      to[at] += steps(row[0], one);
    }

    @Override
    public double most(Norm norm, long one) {
      return one;
    }

    @Override
    public double apart(Norm norm, long one) {
      // Rounding keeps the order of numbers, so what rows add stays between those of the bounds.
      return (double) Math.max(0, steps(bounds.high(), one))
          - Math.min(0, steps(bounds.low(), one));
    }

    @Override
    public NoisyNumber estimate(double[] sums, NoiseSum noise) {
      return number(sums[0], largest(), noise);
    }
  }

  /**
   * The mean of the numbers, moved into the bounds.
   *
   * @param bounds where numbers are moved to
   */
  record Mean(ColumnBounds bounds) implements Measure {
    @Override
    public int columns() {
      return 1;
    }

    @Override
    public boolean addsUp() {
      return false;
    }

    @Override
    public boolean isNeverNegative() {
      return bounds.low() >= 0;
    }

    @Override
    public int parts() {
      return 2;
    }

    @Override
    public void add(double[] row, long one, long[] to, int at) {
      long upper = Math.min(one, Math.round(place(bounds, row[0]) * one));
      to[at] += upper;
      to[at + 1] += one - upper;
    }

    @Override
    public double most(Norm norm, long one) {
      return one;
    }

    @Override
    public double apart(Norm norm, long one) {
      return simplex(norm, one);
    }

    @Override
    public NoisyNumber estimate(double[] sums, NoiseSum noise) {
      double upper = sums[0];
      double lower = sums[1];
      double count = upper + lower;
      double place = count > 0 ? Math.max(0, Math.min(1, upper / count)) : 0.5;
      double deviation = noise.deviation() * Math.hypot(place, 1 - place) / Math.max(count, 0);
      return new NoisyNumber(
          bounds.low() + bounds.width() * place,
          // No answer has an error larger than the width.
          OptionalDouble.of(bounds.width() * Math.min(1, deviation)),
          confidence ->
              Quotients.share(upper, lower, (a, b) -> noise.reach(confidence, a, b))
                  .within(0, 1)
                  .scaled(bounds.width(), bounds.low()));
    }
  }

  /**
   * The variance of the numbers, moved into the bounds: the mean square of their distances from
   * their mean.
   *
   * @param bounds where numbers are moved to
   */
  record Variance(ColumnBounds bounds) implements Measure {
    @Override
    public int columns() {
      return 1;
    }

    @Override
    public boolean addsUp() {
      return false;
    }

    @Override
    public boolean isNeverNegative() {
      return true;
    }

    @Override
    public int parts() {
      return 3;
    }

    @Override
    public void add(double[] row, long one, long[] to, int at) {
      double place = place(bounds, row[0]);
      long upper = Math.min(one, Math.round(place * place * one));
      long lower = Math.min(one - upper, Math.round((1 - place) * (1 - place) * one));
      to[at] += upper;
      to[at + 1] += one - upper - lower;
      to[at + 2] += lower;
    }

    @Override
    public double most(Norm norm, long one) {
      return one;
    }

    @Override
    public double apart(Norm norm, long one) {
      return simplex(norm, one);
    }

    @Override
    public NoisyNumber estimate(double[] sums, NoiseSum noise) {
      double square = bounds.width() * bounds.width();
      return new NoisyNumber(
          square * VarianceRange.of(sums[0], sums[1], sums[2]),
          OptionalDouble.of(square * VarianceRange.deviation(sums, noise.deviation())),
          confidence -> {
            double reach = noise.reach(Math.cbrt(confidence));
            return VarianceRange.within(sums, reach).scaled(square, 0);
          });
    }
  }

  /**
   * The sum of one column over the sum of another: income a head, or the share of those who have
   * something.
   *
   * @param over bounds of the first
   * @param under bounds of the second, at least 0
   */
  record Ratio(ColumnBounds over, ColumnBounds under) implements Measure {
    /** How large a quotient is looked at where nothing bounds it. */
    private static final double FAR = 1e15;

    /** Refuses what may be divided by less than 0. */
    public Ratio {
      Check.that(under.low() >= 0, "lower bound of what is divided by", "at least 0", under.low());
    }

    @Override
    public int columns() {
      return 2;
    }

    @Override
    public boolean addsUp() {
      return false;
    }

    @Override
    public boolean isNeverNegative() {
      return over.low() >= 0;
    }

    @Override
    public int parts() {
      return 2;
    }

    @Override
    public void add(double[] row, long one, long[] to, int at) {
      new Sum(over).add(row, one, to, at);
      to[at + 1] += new Sum(under).steps(row[1], one);
    }

    @Override
    public double most(Norm norm, long one) {
      return root(norm, 2) * one;
    }

    @Override
    public double apart(Norm norm, long one) {
      double first = new Sum(over).apart(norm, one);
      double second = new Sum(under).apart(norm, one);
      return norm == Norm.L1 ? first + second : Math.nextUp(Math.hypot(first, second));
    }

    /** The quotients that no rows leave. */
    private NoiseInterval ends() {
      double scale = new Sum(over).largest() / new Sum(under).largest();
      double low = over.low() / (over.low() < 0 ? under.low() : under.high());
      double high = over.high() / (over.high() < 0 ? under.high() : under.low());
      // 0/0 is that of rows that add nothing to either.
      return new NoiseInterval(
          Double.isFinite(low) ? low : over.low() < 0 ? -FAR * scale : 0,
          Double.isFinite(high) ? high : over.high() > 0 ? FAR * scale : 0);
    }

    @Override
    public NoisyNumber estimate(double[] sums, NoiseSum noise) {
      double a = new Sum(over).largest();
      double b = new Sum(under).largest();
      NoiseInterval ends = ends();
      double numerator = a * sums[0];
      double denominator = b * sums[1];
      double quotient = denominator > 0 ? numerator / denominator : Double.NaN;
      double value =
          Double.isNaN(quotient)
              ? (Math.abs(ends.low()) < FAR / 2 * a / b && Math.abs(ends.high()) < FAR / 2 * a / b
                  ? ends.low() / 2 + ends.high() / 2
                  : 0)
              : Math.max(ends.low(), Math.min(ends.high(), quotient));
      double width = ends.high() - ends.low();
      double deviation =
          denominator > 0
              ? noise.deviation() * Math.hypot(a, value * b) / denominator
              : Double.POSITIVE_INFINITY;
      return new NoisyNumber(
          value,
          // No answer has an error larger than the width, where there is one.
          OptionalDouble.of(width < FAR / 2 * a / b ? Math.min(deviation, width) : deviation),
          confidence ->
              unbounded(
                  Quotients.ratio(
                      numerator,
                      denominator,
                      (x, y) -> noise.reach(confidence, a * x, b * y),
                      value,
                      ends),
                  FAR * a / b));
    }

    /** What was not excluded at the farthest quotient looked at is not bounded. */
    private static NoiseInterval unbounded(NoiseInterval found, double far) {
      return new NoiseInterval(
          found.low() <= -far ? Double.NEGATIVE_INFINITY : found.low(),
          found.high() >= far ? Double.POSITIVE_INFINITY : found.high());
    }
  }
}
