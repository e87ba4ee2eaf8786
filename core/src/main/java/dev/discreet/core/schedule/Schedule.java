package dev.discreet.core.schedule;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * A value for each step, counted from 0. A pure function, so a plan can be accounted beforehand.
 *
 * <pre>{@code
 * Schedule rate = Schedule.cosine(0.5, 0.05, 2_000).warmUp(100);
 * }</pre>
 */
@PublicApi
public sealed interface Schedule {

  /**
   * The value at a step.
   *
   * @param step counted from 0
   * @return the value
   */
  double at(long step);

  /**
   * The largest value at steps {@code from} to {@code to}, both included.
   *
   * @param from the first step
   * @param to the last step
   * @return the largest value
   */
  double largest(long from, long to);

  /**
   * The least value at steps {@code from} to {@code to}, both included.
   *
   * @param from the first step
   * @param to the last step
   * @return the least value
   */
  double least(long from, long to);

  /**
   * This schedule with every value multiplied by a factor greater than 0.
   *
   * @param factor greater than 0
   * @return that schedule; this one stays as it is
   */
  default Schedule times(double factor) {
    return new Scaled(factor, this);
  }

  /**
   * The same value at every step.
   *
   * @param value the value
   * @return that schedule
   */
  static Schedule constant(double value) {
    return new Constant(value);
  }

  /**
   * From {@code start} in a straight line to {@code floor}, reached at {@code step} and kept.
   *
   * @param start the first value
   * @param floor the last value
   * @param step from when on it is the last
   * @return that schedule
   */
  static Schedule linear(double start, double floor, long step) {
    return new Linear(start, floor, step);
  }

  /**
   * Multiplied by {@code factor} after every {@code every} steps.
   *
   * @param start the first value
   * @param factor what it is multiplied by
   * @param every after how many steps
   * @return that schedule
   */
  static Schedule stepDecay(double start, double factor, long every) {
    return new StepDecay(start, factor, every);
  }

  /**
   * Half a cosine from {@code start} to {@code floor}, reached at {@code step} and kept.
   *
   * @param start the first value
   * @param floor the last value
   * @param step from when on it is the last
   * @return that schedule
   */
  static Schedule cosine(double start, double floor, long step) {
    return new Cosine(start, floor, step);
  }

  /**
   * This schedule, rising to it in a straight line over the first {@code steps} steps.
   *
   * @param steps how many, at least 1
   * @return that schedule; this one stays as it is
   */
  default Schedule warmUp(long steps) {
    return new WarmUp(steps, this);
  }

  /** Never falls or never rises, so its extremes are at the ends. */
  private static double end(Schedule schedule, long from, long to, boolean largest) {
    double first = schedule.at(from);
    double last = schedule.at(to);
    return largest ? Math.max(first, last) : Math.min(first, last);
  }

  private static double finite(double value, String name) {
    Check.that(Double.isFinite(value), name, "finite", value);
    return value;
  }

  private static void counted(long steps, String name) {
    Check.that(steps >= 1, name, "at least 1", steps);
  }

  /**
   * The same value at every step.
   *
   * @param value the value
   */
  record Constant(double value) implements Schedule {
    /** Refuses a value that is infinite or no number. */
    public Constant {
      finite(value, "value of a schedule");
    }

    @Override
    public double at(long step) {
      return value;
    }

    @Override
    public double largest(long from, long to) {
      return value;
    }

    @Override
    public double least(long from, long to) {
      return value;
    }

    @Override
    public Schedule times(double factor) {
      return new Constant(value * factor);
    }
  }

  /**
   * A straight line from one value to another. Abadi et al. 2016 train MNIST with one from 0.1 to
   * 0.052 over 10 epochs.
   *
   * @param start the first value
   * @param floor the last value
   * @param step from when on it is the last
   */
  record Linear(double start, double floor, long step) implements Schedule {
    /** Refuses values that are infinite or no numbers, and a step below 1. */
    public Linear {
      finite(start, "start of a schedule");
      finite(floor, "floor of a schedule");
      counted(step, "step at which the floor is reached");
    }

    @Override
    public double at(long at) {
      return at >= step ? floor : start + (floor - start) * ((double) at / step);
    }

    @Override
    public double largest(long from, long to) {
      return end(this, from, to, true);
    }

    @Override
    public double least(long from, long to) {
      return end(this, from, to, false);
    }
  }

  /**
   * A value that is multiplied by a factor every so many steps.
   *
   * @param start the first value
   * @param factor what it is multiplied by
   * @param every after how many steps
   */
  record StepDecay(double start, double factor, long every) implements Schedule {
    /** Refuses values outside their ranges. */
    public StepDecay {
      finite(start, "start of a schedule");
      Check.that(
          factor > 0 && Double.isFinite(factor),
          "factor of a schedule",
          "finite and greater than 0",
          factor);
      counted(every, "steps between decays");
    }

    @Override
    public double at(long step) {
      return start * Math.pow(factor, step / every);
    }

    @Override
    public double largest(long from, long to) {
      return end(this, from, to, true);
    }

    @Override
    public double least(long from, long to) {
      return end(this, from, to, false);
    }
  }

  /**
   * Half a cosine from one value to another.
   *
   * @param start the first value
   * @param floor the last value
   * @param step from when on it is the last
   */
  record Cosine(double start, double floor, long step) implements Schedule {
    /** Refuses values outside their ranges. */
    public Cosine {
      finite(start, "start of a schedule");
      finite(floor, "floor of a schedule");
      counted(step, "step at which the floor is reached");
    }

    @Override
    public double at(long at) {
      return at >= step
          ? floor
          : floor + (start - floor) * 0.5 * (1 + Math.cos(Math.PI * at / step));
    }

    @Override
    public double largest(long from, long to) {
      return end(this, from, to, true);
    }

    @Override
    public double least(long from, long to) {
      return end(this, from, to, false);
    }
  }

  /**
   * A schedule after a straight line up to it.
   *
   * @param steps of the line
   * @param then the schedule
   */
  record WarmUp(long steps, Schedule then) implements Schedule {
    /** Refuses a line of less than one step. */
    public WarmUp {
      Check.that(steps >= 1 && steps <= 1 << 24, "warm-up steps", "in [1, 16777216]", steps);
      Check.that(then != null, "schedule after the warm-up", "given", null);
    }

    @Override
    public double at(long step) {
      return step >= steps ? then.at(step) : then.at(step) * ((step + 1.0) / steps);
    }

    @Override
    public double largest(long from, long to) {
      double largest =
          to >= steps ? then.largest(Math.max(from, steps), to) : Double.NEGATIVE_INFINITY;
      for (long step = from; step < Math.min(steps, to + 1); step++) {
        largest = Math.max(largest, at(step));
      }
      return largest;
    }

    @Override
    public double least(long from, long to) {
      double least = to >= steps ? then.least(Math.max(from, steps), to) : Double.POSITIVE_INFINITY;
      for (long step = from; step < Math.min(steps, to + 1); step++) {
        least = Math.min(least, at(step));
      }
      return least;
    }
  }

  /**
   * A schedule whose values are multiplied by a factor.
   *
   * @param factor greater than 0
   * @param schedule what is multiplied
   */
  record Scaled(double factor, Schedule schedule) implements Schedule {
    /** Refuses a factor that is not above 0. */
    public Scaled {
      Check.that(
          factor > 0 && Double.isFinite(factor),
          "factor of a schedule",
          "finite and greater than 0",
          factor);
    }

    @Override
    public double at(long step) {
      return factor * schedule.at(step);
    }

    @Override
    public double largest(long from, long to) {
      return factor * schedule.largest(from, to);
    }

    @Override
    public double least(long from, long to) {
      return factor * schedule.least(from, to);
    }
  }
}
