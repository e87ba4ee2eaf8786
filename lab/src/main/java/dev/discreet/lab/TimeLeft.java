package dev.discreet.lab;

import java.util.HashMap;
import java.util.Map;

/**
 * How long the trials that are left will take, from those that are done: one that is left takes as
 * long as its experiment's others did or, where there are none yet, as long as any.
 */
final class TimeLeft {
  private final int threads;
  private final Map<String, Integer> left = new HashMap<>();
  private final Map<String, Double> spent = new HashMap<>();
  private final Map<String, Integer> done = new HashMap<>();

  TimeLeft(int threads) {
    this.threads = threads;
  }

  synchronized void toDo(String experiment) {
    left.merge(experiment, 1, Integer::sum);
  }

  /** A trial that was run another time. */
  synchronized void known(String experiment, double seconds) {
    spent.merge(experiment, seconds, Double::sum);
    done.merge(experiment, 1, Integer::sum);
  }

  synchronized void done(String experiment, double seconds) {
    known(experiment, seconds);
    leave(experiment);
  }

  /** A trial that came to nothing. */
  synchronized void leave(String experiment) {
    left.merge(experiment, -1, Integer::sum);
  }

  /** NaN before the first is done. */
  synchronized double secondsLeft() {
    double any = mean(spent.values(), done.values());
    double sum = 0;
    int trials = 0;
    for (Map.Entry<String, Integer> each : left.entrySet()) {
      Integer known = done.get(each.getKey());
      sum += each.getValue() * (known == null ? any : spent.get(each.getKey()) / known);
      trials += each.getValue();
    }
    return trials == 0 ? 0 : sum / Math.min(threads, trials);
  }

  private static double mean(Iterable<Double> spent, Iterable<Integer> done) {
    double seconds = 0;
    for (double each : spent) {
      seconds += each;
    }
    int trials = 0;
    for (int each : done) {
      trials += each;
    }
    return seconds / trials;
  }

  /** {@code about 12 min left}; empty where nothing is known or nothing is left. */
  static String words(double seconds) {
    String duration = duration(seconds);
    return duration.isEmpty() ? "" : "about " + duration + " left";
  }

  /** {@code 12 min}; empty of less than a second, and where nothing is known. */
  static String duration(double seconds) {
    if (!(seconds >= 1) || Double.isInfinite(seconds)) {
      return "";
    } else if (seconds < 90) {
      return Math.round(seconds) + " s";
    } else if (seconds < 90 * 60) {
      return Math.round(seconds / 60) + " min";
    }
    return Math.round(seconds / 360) / 10.0 + " h";
  }
}
