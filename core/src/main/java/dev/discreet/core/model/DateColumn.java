package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Dates, or dates with a time, which become one or more of: a number between two days, an input for
 * each month, an input for each day of the week, from Monday. A date outside the days is moved to
 * the nearer one. A time with an offset is taken in UTC. A cell that is no date of the declared
 * pattern is none of this column, and so is one such as 2023-02-29.
 *
 * <pre>{@code
 * InputColumn visit = InputColumn.parse("visit=2015-01-01..2024-12-31+month,pattern=dd.MM.yyyy");
 * }</pre>
 */
@PublicApi
public final class DateColumn implements InputColumn {
  private static final String BETWEEN = "..";
  private static final String MONTH = "month";
  private static final String WEEKDAY = "weekday";
  // Later than the first twelve days and hours, so that no field can be taken for another.
  private static final ZonedDateTime SAMPLE =
      ZonedDateTime.of(2013, 11, 22, 14, 35, 46, 0, ZoneOffset.UTC);
  private static final DateTimeFormatter ISO =
      fixed(
          new DateTimeFormatterBuilder()
              .append(DateTimeFormatter.ISO_LOCAL_DATE)
              .appendPattern("[['T'][' ']")
              .append(DateTimeFormatter.ISO_LOCAL_TIME)
              .appendPattern("[ ][XXX][X]]"));
  private static final int LONGEST = 200;
  private static final Pattern OVERLONG = Pattern.compile("([A-Za-z])\\1{10}");

  private final String name;
  private final Optional<Days> days;
  private final boolean month;
  private final boolean weekday;
  private final String pattern;
  private final DateTimeFormatter format;

  /**
   * The first and the last day of a range.
   *
   * @param first becomes 0
   * @param last becomes 1
   */
  public record Days(LocalDate first, LocalDate last) {
    /**
     * Checks their order.
     *
     * @param first of the range
     * @param last after the first
     */
    public Days {
      Check.that(first.isBefore(last), "days", "rising", first + BETWEEN + last);
    }
  }

  /**
   * Checks that something is asked for, and that the pattern tells every day.
   *
   * @param name of the column
   * @param days between which a date becomes a number; empty for none
   * @param month whether there is an input for each month
   * @param weekday whether there is an input for each day of the week, from Monday
   * @param pattern of the cells, in the letters of {@code DateTimeFormatter}; empty for ISO dates
   */
  public DateColumn(
      String name, Optional<Days> days, boolean month, boolean weekday, String pattern) {
    this.name = name;
    this.days = days;
    this.month = month;
    this.weekday = weekday;
    this.pattern = pattern.strip();
    Check.that(
        days.isPresent() || month || weekday,
        "column " + name,
        "of dates that become a number, months or weekdays",
        "none");
    format = this.pattern.isEmpty() ? ISO : format();
  }

  private DateTimeFormatter format() {
    Check.that(
        pattern.length() <= LONGEST,
        "pattern of column " + name,
        "of at most " + LONGEST + " characters",
        pattern);
    ColumnSyntax.checkSetting("pattern of column " + name, pattern);
    boolean readsBack = false;
    DateTimeFormatter format = null;
    try {
      format =
          fixed(
              new DateTimeFormatterBuilder()
                  .parseCaseInsensitive()
                  .appendPattern(pattern)
                  // So that yyyy, the year of an era, is a year.
                  .parseDefaulting(ChronoField.ERA, 1));
      // Some versions of Java take more than ten letters y in a row, and others fail at them.
      readsBack = !OVERLONG.matcher(pattern).find() && readsBack(format);
    } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // Refused below, in our words.
      readsBack = false;
    }
    Check.that(
        readsBack,
        "pattern of column " + name,
        "of a day, month and year, as in dd.MM.yyyy, and where it has a time, of the hour of the"
            + " day, as in HH:mm or hh:mm a, and of no zone but an offset, as in XXX",
        pattern);
    return format;
  }

  private static boolean readsBack(DateTimeFormatter format) {
    String written = format.format(SAMPLE);
    TemporalAccessor read = format.parse(written);
    LocalTime time = read.query(TemporalQueries.localTime());
    boolean hasTime = !written.equals(format.format(SAMPLE.truncatedTo(ChronoUnit.DAYS)));
    return LocalDate.from(read).equals(SAMPLE.toLocalDate())
        && (hasTime ? time != null && time.getHour() == SAMPLE.getHour() : time == null)
        && read.query(TemporalQueries.zoneId()) == null;
  }

  private static DateTimeFormatter fixed(DateTimeFormatterBuilder builder) {
    return builder
        .toFormatter(Locale.US)
        .withChronology(IsoChronology.INSTANCE)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  /** What a declaration's values ask for; empty for another text. */
  static Optional<DateColumn> parse(String name, String values, String pattern) {
    Optional<Days> days = Optional.empty();
    List<String> parts = new ArrayList<>(List.of(values.split("\\+", -1)));
    parts.replaceAll(String::strip);
    int between = parts.get(0).indexOf(BETWEEN);
    if (between > 0) {
      try {
        LocalDate first = LocalDate.parse(parts.get(0).substring(0, between).strip());
        LocalDate last =
            LocalDate.parse(parts.get(0).substring(between + BETWEEN.length()).strip());
        days = Optional.of(new Days(first, last));
        parts.remove(0);
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }
    boolean month = parts.remove(MONTH);
    boolean weekday = parts.remove(WEEKDAY);
    return parts.isEmpty()
        ? Optional.of(new DateColumn(name, days, month, weekday, pattern))
        : Optional.empty();
  }

  @Override
  public String name() {
    return name;
  }

  /** {@return the days between which a date becomes a number} */
  public Optional<Days> days() {
    return days;
  }

  /** {@return whether there is an input for each month} */
  public boolean hasMonth() {
    return month;
  }

  /** {@return whether there is an input for each day of the week} */
  public boolean hasWeekday() {
    return weekday;
  }

  /** {@return the pattern of the cells; empty for ISO dates} */
  public String pattern() {
    return pattern;
  }

  @Override
  public int width() {
    return (days.isPresent() ? 1 : 0) + (month ? 12 : 0) + (weekday ? 7 : 0);
  }

  @Override
  public void write(String cell, float[] to, int at) {
    LocalDateTime time = time(cell);
    if (time == null) {
      Check.that(
          false,
          name,
          "a date " + (pattern.isEmpty() ? "as 2024-12-31" : "of pattern " + pattern),
          cell);
    }
    Arrays.fill(to, at, at + width(), 0);
    int next = at;
    if (days.isPresent()) {
      double day = time.toLocalDate().toEpochDay();
      double part =
          (double) time.toLocalTime().toNanoOfDay() / ChronoUnit.DAYS.getDuration().toNanos();
      to[next++] =
          (float)
              ValueBounds.scaled(
                  day + part, days.get().first().toEpochDay(), days.get().last().toEpochDay());
    }
    if (month) {
      to[next + time.getMonthValue() - 1] = 1;
      next += 12;
    }
    if (weekday) {
      to[next + time.getDayOfWeek().getValue() - 1] = 1;
    }
  }

  /** Whether a cell's date lies between the days. */
  boolean isInside(String cell) {
    LocalDate day = time(cell).toLocalDate();
    return days.isEmpty() || !day.isBefore(days.get().first()) && !day.isAfter(days.get().last());
  }

  /** The date and time of a cell, midnight where it has none; null where it is no date. */
  private LocalDateTime time(String cell) {
    String bare = cell.strip();
    if (bare.length() > LONGEST) {
      return null;
    }
    try {
      TemporalAccessor read = format.parse(bare);
      LocalDate day = LocalDate.from(read);
      LocalTime hour = read.query(TemporalQueries.localTime());
      LocalDateTime time = day.atTime(hour == null ? LocalTime.MIDNIGHT : hour);
      ZoneOffset offset = read.query(TemporalQueries.offset());
      return offset == null ? time : time.minusSeconds(offset.getTotalSeconds());
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("dates", values());
    fields.put("pattern", pattern);
    return fields;
  }

  private String values() {
    List<String> parts = new ArrayList<>();
    days.ifPresent(range -> parts.add(range.first() + BETWEEN + range.last()));
    if (month) {
      parts.add(MONTH);
    }
    if (weekday) {
      parts.add(WEEKDAY);
    }
    return String.join("+", parts);
  }

  @Override
  public String text() {
    return name + "=" + values() + (pattern.isEmpty() ? "" : ",pattern=" + pattern);
  }

  @Override
  public <T> T match(
      Function<Number, T> number,
      Function<Category, T> category,
      Function<Ordered, T> ordered,
      Function<DateColumn, T> date,
      Function<HashedText, T> text,
      Function<TokenText, T> tokens,
      Function<Missing, T> missing) {
    return date.apply(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DateColumn that && that.text().equals(text());
  }

  @Override
  public int hashCode() {
    return text().hashCode();
  }

  @Override
  public String toString() {
    return text();
  }
}
