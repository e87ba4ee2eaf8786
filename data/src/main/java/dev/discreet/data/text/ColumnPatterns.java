package dev.discreet.data.text;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    Set<String> exact =
        declarations.stream()
            .map(ColumnPatterns::name)
            .filter(name -> header.contains(name) || !isPattern(name))
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
          fitting(table, pattern, header).stream()
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

  private static List<String> fitting(String table, String pattern, List<String> header) {
    Optional<List<String>> range = NameRange.of(pattern);
    if (range.isPresent()) {
      range
          .get()
          .forEach(
              name ->
                  Check.that(
                      header.contains(name),
                      "range " + pattern,
                      "of columns of " + table + ", each of which is there",
                      name));
      return range.get();
    }
    Pattern names =
        Pattern.compile(
            Stream.of(pattern.split("\\*", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")),
            Pattern.DOTALL);
    return header.stream().filter(name -> names.matcher(name).matches()).toList();
  }

  private static String shown(List<String> header) {
    return header.stream().limit(SHOWN).collect(Collectors.joining(", "))
        + (header.size() > SHOWN ? ", … (" + header.size() + ")" : "");
  }
}
