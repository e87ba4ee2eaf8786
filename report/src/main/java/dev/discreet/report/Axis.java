package dev.discreet.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/**
 * One axis of a {@link Chart}: what it spans and where its ticks are.
 *
 * @param label empty where the title of the chart says it
 * @param text what is written at a tick
 * @param logarithmic then every end and tick is positive
 */
record Axis(
    String label,
    DoubleFunction<String> text,
    double from,
    double to,
    List<Double> ticks,
    boolean logarithmic) {
  private static final int INTERVALS = 5;

  // A span beyond which an axis is logarithmic, if it may be.
  private static final double FAR = 50;

  /** From 0 to the largest value, no further. */
  static Axis upTo(double largest, String label, DoubleFunction<String> text) {
    double to = largest > 0 ? largest : 1;
    return upTo(to, step(to), label, text);
  }

  /** Of steps, which are whole. */
  static Axis steps(double last) {
    double to = Math.max(1, last);
    return upTo(to, Math.max(1, step(to)), "step", Drawing::label);
  }

  private static Axis upTo(double to, double step, String label, DoubleFunction<String> text) {
    return new Axis(label, text, 0, to, multiples(step, 0, to), false);
  }

  /** From 0 to 1. */
  static Axis share(String label) {
    return shares(new double[] {0, 1}, label);
  }

  /** Around values that are in [0, 1], in percent. */
  static Axis shares(double[] values, String label) {
    double least = DoubleStream.of(values).min().orElse(0);
    double most = DoubleStream.of(values).max().orElse(1);
    // A narrower span would make much of little.
    double room = Math.max(0, 0.02 - (most - least)) / 2;
    Axis loose = linear(least - room, most + room, label, Html::percent);
    double from = Math.max(0, loose.from);
    double to = Math.min(1, loose.to);
    double step = loose.ticks.get(1) - loose.ticks.get(0);
    // As many decimals as tell the ticks apart.
    int decimals = (int) Math.max(0, Math.ceil(-Math.log10(step) - 2 - 1e-9));
    DoubleFunction<String> text = value -> Html.percent(value, decimals);
    return new Axis(label, text, from, to, multiples(step, from, to), false);
  }

  /** Around all values; those that span far get a logarithmic one. */
  static Axis around(double[] values, String label, DoubleFunction<String> text) {
    double least = DoubleStream.of(values).min().orElse(0);
    double most = DoubleStream.of(values).max().orElse(1);
    if (least > 0 && most > FAR * least) {
      List<Double> decades = decades(least, most);
      double last = decades.get(decades.size() - 1);
      return new Axis(label, text, decades.get(0), last, decades, true);
    }
    return linear(least, most, label, text);
  }

  /** From a tick below both to one above them. */
  static Axis linear(double least, double most, String label, DoubleFunction<String> text) {
    double room = most > least ? 0 : Math.max(Math.abs(most) / 10, 1e-6);
    double step = step(most - least + 2 * room);
    double from = Math.floor((least - room) / step + 1e-9) * step;
    double to = Math.ceil((most + room) / step - 1e-9) * step;
    return new Axis(label, text, from, to, multiples(step, from, to), false);
  }

  /** Where a value stands: 0 at one end, 1 at the other. */
  double place(double value) {
    return logarithmic
        ? Math.log(value / from) / Math.log(to / from)
        : (value - from) / (to - from);
  }

  /** 1, 2 or 5 times a power of ten, a few of which make the span. */
  private static double step(double span) {
    double power = Math.pow(10, Math.floor(Math.log10(span / INTERVALS)));
    double times = span / INTERVALS / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  }

  private static List<Double> multiples(double step, double from, double to) {
    List<Double> ticks = new ArrayList<>();
    for (long i = (long) Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) {
      ticks.add(i * step);
    }
    return List.copyOf(ticks);
  }

  private static List<Double> decades(double least, double most) {
    int first = (int) Math.floor(Math.log10(least) + 1e-9);
    int last = (int) Math.ceil(Math.log10(most) - 1e-9);
    int every = Math.max(1, (last - first + INTERVALS) / (INTERVALS + 1));
    List<Double> ticks = new ArrayList<>();
    for (int power = first; power < last + every; power += every) {
      ticks.add(Math.pow(10, power));
    }
    return List.copyOf(ticks);
  }
}
