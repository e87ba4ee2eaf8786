package dev.discreet.data.sheet;

import dev.discreet.data.internal.Zip;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which styles of a workbook show a number as a date, and which day a number is: days are counted
 * from 1900 or 1904, as the workbook says. What shows a time of day alone stays a number.
 */
final class CellDates {
  private static final Set<Integer> BUILT_IN =
      Set.of(14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58);
  private static final LocalDate FROM_1900 = LocalDate.of(1899, 12, 30);
  private static final LocalDate FROM_1904 = LocalDate.of(1904, 1, 1);
  // This way of counting has a 29th of February 1900, on day 60.
  private static final int NO_DAY = 60;
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);
  private static final long DAY = 24 * 60 * 60 * 1000L;

  private final Set<Integer> styles;
  private final boolean from1904;

  private CellDates(Set<Integer> styles, boolean from1904) {
    this.styles = styles;
    this.from1904 = from1904;
  }

  static CellDates none(boolean from1904) {
    return new CellDates(Set.of(), from1904);
  }

  static CellDates read(Path path, Zip zip, String part, boolean from1904) throws IOException {
    Map<Integer, String> formats = new HashMap<>();
    List<Integer> used = new ArrayList<>();
    try (XmlPart xml = new XmlPart(path, zip, part)) {
      boolean cells = false;
      while (xml.next()) {
        if (xml.begins("numFmt")) {
          formats.put(number(xml.attribute("numFmtId")), xml.attribute("formatCode"));
        } else if (xml.begins("cellXfs") || xml.ends("cellXfs")) {
          cells = xml.begins("cellXfs");
        } else if (cells && xml.begins("xf")) {
          used.add(number(xml.attribute("numFmtId")));
        }
      }
    }
    Set<Integer> styles = new HashSet<>();
    for (int i = 0; i < used.size(); i++) {
      String own = formats.get(used.get(i));
      if (own == null ? BUILT_IN.contains(used.get(i)) : showsDay(own)) {
        styles.add(i);
      }
    }
    return new CellDates(styles, from1904);
  }

  /** A number of at most nine digits, else -1. */
  static int number(String text) {
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
  }

  /** Whether a format has a day, a year or the name of a month. */
  static boolean showsDay(String format) {
    String bare =
        format
            .replaceAll("\"[^\"]*+\"?|\\\\.?|[_*].|\\[[^\\]]*+\\]?", "")
            .split(";", 2)[0]
            .toLowerCase(Locale.ROOT);
    return !bare.contains("general") && (bare.matches(".*[dy].*") || bare.contains("mmm"));
  }

  boolean isDate(String style) {
    return styles.contains(number(style));
  }

  /** The day, with the time where it has one; garbled where the number is none. */
  String text(double number) {
    double whole = Math.floor(number);
    LocalDate start = from1904 ? FROM_1904 : FROM_1900;
    boolean none = !from1904 && (whole < 1 || whole == NO_DAY);
    if (none || whole < 0 || whole > ChronoUnit.DAYS.between(start, LAST)) {
      return XlsxRows.garbled("no day");
    }
    long day = (long) whole + (!from1904 && whole < NO_DAY ? 1 : 0);
    LocalDateTime time =
        start
            .plusDays(day)
            .atStartOfDay()
            .plus(Math.round((number - whole) * DAY), ChronoUnit.MILLIS);
    return time.toLocalTime().toNanoOfDay() == 0
        ? time.toLocalDate().toString()
        : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
  }
}
