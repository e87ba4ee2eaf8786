package dev.discreet.data.text;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Declarations of several columns at once, {@code x1..x10=0|1} and {@code temp_*=-20..50}, held
 * against the names that a table's header has. Those are public; no row is looked at.
 */
public final class ColumnPatterns {
  private static final int SHOWN = 50;

  private ColumnPatterns() {}

  /** What a declaration is about: a name, or a pattern of names. */
  public static String name(String declaration) {
    int equals = declaration.indexOf('=');
    return (equals < 0 ? declaration : declaration.substring(0, equals)).strip();
  }

  /** Whether some declaration may be of several columns, so that a header is needed. */
  public static boolean any(List<String> declarations) {
    return declarations.stream().map(ColumnPatterns::name).anyMatch(ColumnPatterns::isPattern);
  }

  private static boolean isPattern(String name) {
    return name.indexOf('*') >= 0 || NameRange.of(name).isPresent();
  }

  /**
   * One declaration for each column, in the order of the declarations and, inside a pattern, of the
   * header. A column's own declaration goes before a pattern's.
   *
   * @param table what messages call it
   * @param taken columns that no pattern is about: the label, and who a row is of
   * @throws IllegalArgumentException where a pattern fits no column, or two fit the same
   */
  public static List<String> expanded(
      String table, List<String> declarations, List<String> header, Set<String> taken) {
    Set<String> there = Set.copyOf(header);
    Set<String> exact =
        declarations.stream()
            .map(ColumnPatterns::name)
            .filter(name -> there.contains(name) || !isPattern(name))
            .collect(Collectors.toSet());
    List<String> expanded = new ArrayList<>();
    Map<String, String> by = new LinkedHashMap<>();
    for (String declaration : declarations) {
      String pattern = name(declaration);
      if (exact.contains(pattern)) {
        expanded.add(declaration);
        continue;
      }
      String rest = declaration.substring(declaration.indexOf('=') + 1);
      List<String> found =
          fitting(table, pattern, header, there).stream()
              .filter(name -> !exact.contains(name) && !taken.contains(name))
              .toList();
      Check.that(
          !found.isEmpty(),
          "column " + pattern,
          "a pattern of columns of "
              + table
              + " that are neither declared by their names nor label"
              + " or unit. Its columns: "
              + shown(header),
          pattern);
      for (String name : found) {
        String before = by.put(name, pattern);
        Check.that(
            before == null, "column " + name, "declared by one pattern", before + ", " + pattern);
        expanded.add(name + "=" + rest);
      }
    }
    return expanded;
  }

  private static List<String> fitting(
      String table, String pattern, List<String> header, Set<String> there) {
    Optional<List<String>> range = NameRange.of(pattern);
    if (range.isPresent()) {
      range
          .get()
          .forEach(
              name ->
                  Check.that(
                      there.contains(name),
                      "range " + pattern,
                      "of columns of " + table + ", each of which is there",
                      name));
      return range.get();
    }
    String[] parts = pattern.split("\\*", -1);
    return header.stream().filter(name -> fits(parts, name)).toList();
  }

  /**
   * Whether a name has these parts in their order, the first at its beginning and the last at its
   * end. A regular expression of many stars would try all places of each.
   */
  private static boolean fits(String[] parts, String name) {
    String last = parts[parts.length - 1];
    if (!name.startsWith(parts[0])) {
      return false;
    }
    int at = parts[0].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = name.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    return name.length() - at >= last.length() && name.endsWith(last);
  }

  private static String shown(List<String> header) {
    return header.stream().limit(SHOWN).collect(Collectors.joining(", "))
        + (header.size() > SHOWN ? ", … (" + header.size() + ")" : "");
  }
}
