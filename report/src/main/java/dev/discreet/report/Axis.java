package dev.discreet.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/**
 * One axis of a {@link Chart} or {@link LinePlot}: what it spans and where its ticks are.
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

  // A span up to which a logarithmic axis has ticks between the powers of ten.
  private static final double NEAR = 200;

  /** From 0 to the largest value, no further. */
  static Axis upTo(double largest, String label, DoubleFunction<String> text) {
    double to = largest > 0 ? largest : 1;
    return upTo(to, step(to), label, text);
  }

  /** An axis of steps, which are whole numbers. */
  static Axis steps(double last) {
    double to = Math.max(1, last);
    return upTo(to, Math.max(1, step(to)), "step", Axis::label);
  }

  private static Axis upTo(double to, double step, String label, DoubleFunction<String> text) {
    return new Axis(label, text, 0, to, multiples(step, 0, to), false);
  }

  /** From 0 to 1. */
  static Axis share(String label) {
    return shares(new double[] {0, 1}, label);
  }

  /** An axis around values in [0, 1], in percent. */
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

  /** From a power of ten to 1, in percent. */
  static Axis logarithmicShares(double from, String label) {
    return new Axis(label, Axis::percent, from, 1, decades(from, 1), true);
  }

  /** 0.01%, 1%, 25%: four digits at most. */
  static String percent(double share) {
    return label(100 * share) + "%";
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
    return linear(least - room, most + room, step, label, text);
  }

  private static Axis linear(
      double least, double most, double step, String label, DoubleFunction<String> text) {
    double from = Math.floor(least / step + 1e-9) * step;
    double to = Math.ceil(most / step - 1e-9) * step;
    return new Axis(label, text, from, to, multiples(step, from, to), false);
  }

  /** Around positive values, from one of 1, 2, 5, 10, … to another. */
  static Axis logarithmic(double least, double most, String label) {
    double from = oneTwoFive(least, false);
    double to = oneTwoFive(most, true);
    List<Double> ticks = new ArrayList<>();
    if (to / from <= NEAR * (1 + 1e-9)) {
      for (double tick = from; tick <= to * 1.01; tick = oneTwoFive(tick * 1.01, true)) {
        ticks.add(tick);
      }
    } else {
      decades(from, to).stream()
          .filter(tick -> tick >= from * 0.99 && tick <= to * 1.01)
          .forEach(ticks::add);
    }
    return new Axis(label, Axis::label, from, to, List.copyOf(ticks), true);
  }

  /** The next of them at or beyond a value. */
  private static double oneTwoFive(double value, boolean above) {
    int power = (int) Math.floor(Math.log10(value) + 1e-9);
    double times = value / Math.pow(10, power);
    double next =
        above
            ? times <= 1 + 1e-9 ? 1 : times <= 2 + 1e-9 ? 2 : times <= 5 + 1e-9 ? 5 : 10
            : times >= 5 - 1e-9 ? 5 : times >= 2 - 1e-9 ? 2 : 1;
    // From its decimal digits: 0.2, and no neighbour of it.
    return Double.parseDouble((int) next + "e" + power);
  }

  /** Around any values, as wide as their ticks need; of whole values the ticks are whole. */
  static Axis even(double[] values, String label) {
    double least = DoubleStream.of(values).min().orElse(0);
    double most = DoubleStream.of(values).max().orElse(1);
    boolean whole = DoubleStream.of(values).allMatch(value -> value == Math.rint(value));
    double room = most > least ? 0 : 1;
    Axis axis =
        whole && most - least < INTERVALS
            ? linear(least - room, most + room, 1, label, Axis::label)
            : linear(least, most, label, Axis::label);
    // As many digits as tell the ticks apart.
    int digits = 4;
    while (digits < 15 && axis.same(digits)) {
      digits++;
    }
    int enough = digits;
    return new Axis(label, value -> label(value, enough), axis.from, axis.to, axis.ticks, false);
  }

  /** The places between the powers of ten, where these are not too many to be told apart. */
  List<Double> minor() {
    List<Double> between = new ArrayList<>();
    if (logarithmic && to / from <= 1e6) {
      int last = (int) Math.floor(Math.log10(to));
      for (int power = (int) Math.floor(Math.log10(from) + 1e-9); power <= last; power++) {
        for (int times = 2; times < 10; times++) {
          double place = times * Math.pow(10, power);
          if (place >= from && place <= to) {
            between.add(place);
          }
        }
      }
    }
    return between;
  }

  private boolean same(int digits) {
    return ticks.stream().map(tick -> label(tick, digits)).distinct().count() < ticks.size();
  }

  /** 1 to 10000 as they are, beyond that 1e5, 2.5e6, … */
  static String label(double value) {
    return label(value, 4);
  }

  private static String label(double value, int digits) {
    double size = Math.abs(value);
    if (value == 0 || (size >= 1e-3 && size < 1e5)) {
      return new BigDecimal(String.format(Locale.ROOT, "%." + digits + "g", value))
          .stripTrailingZeros()
          .toPlainString();
    }
    return String.format(Locale.ROOT, "%." + (digits - 1) + "e", value)
        .replaceAll("\\.?0*e\\+?(-?)0*(\\d)", "e$1$2");
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
