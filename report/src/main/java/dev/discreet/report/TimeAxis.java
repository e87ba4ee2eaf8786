package dev.discreet.report;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An {@link Axis} of instants, as seconds since 1970, with ticks where a calendar has them. */
final class TimeAxis {
  private static final int MOST_TICKS = 4;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long[] SECONDS = {
    MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY
  };
  private static final int[] MONTHS = {1, 3, 6, 12, 24, 60, 120, 240, 600, 1200};

  private TimeAxis() {}

  /** From one instant to a little after another, so that what happened last is seen. */
  static Axis of(Instant first, Instant last) {
    long from = first.getEpochSecond();
    long to = last.getEpochSecond() + Math.max(MINUTE, (last.getEpochSecond() - from) / 20);
    String label = "UTC, since " + text(from, "yyyy-MM-dd");
    for (long step : SECONDS) {
      List<Double> ticks = seconds(from, to, step);
      if (ticks.size() <= MOST_TICKS) {
        return new Axis(label, TimeAxis::clock, from, to, ticks, false);
      }
    }
    for (int step : MONTHS) {
      List<Double> ticks = months(from, to, step);
      if (ticks.size() <= MOST_TICKS) {
        String form = step < 12 ? "yyyy-MM" : "yyyy";
        return new Axis(label, tick -> text((long) tick, form), from, to, ticks, false);
      }
    }
    return new Axis(label, tick -> "", from, to, List.of(), false);
  }

  /** For people, to the minute. */
  static String minute(Instant at) {
    return text(at.getEpochSecond(), "yyyy-MM-dd HH:mm");
  }

  private static String clock(double tick) {
    long second = (long) tick;
    // Midnight is told by its day.
    return text(second, second % DAY == 0 ? "MM-dd" : "HH:mm");
  }

  private static String text(long second, String form) {
    return DateTimeFormatter.ofPattern(form, Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.ofEpochSecond(second));
  }

  private static List<Double> seconds(long from, long to, long step) {
    List<Double> ticks = new ArrayList<>();
    long tick = Math.floorDiv(from + step - 1, step) * step;
    // One tick too many is enough to know.
    for (; tick <= to && ticks.size() <= MOST_TICKS; tick += step) {
      ticks.add((double) tick);
    }
    return ticks;
  }

  private static List<Double> months(long from, long to, int step) {
    LocalDateTime day = LocalDateTime.ofEpochSecond(from, 0, ZoneOffset.UTC);
    long month = Math.floorDiv(12L * day.getYear() + day.getMonthValue() - 1, (long) step) * step;
    List<Double> ticks = new ArrayList<>();
    for (; ticks.size() <= MOST_TICKS; month += step) {
      long tick =
          LocalDateTime.of((int) (month / 12), (int) (month % 12) + 1, 1, 0, 0)
              .toEpochSecond(ZoneOffset.UTC);
      if (tick > to) {
        break;
      }
      if (tick >= from) {
        ticks.add((double) tick);
      }
    }
    return ticks;
  }
}
