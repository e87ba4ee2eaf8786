package dev.discreet.data;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that a mistyped one was meant to be. */
final class Nearest {
  private Nearest() {}

  /** Empty where no name is within a third of its letters. */
  static Optional<String> to(String typed, Collection<String> names) {
    String low = typed.toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> 3 * edits(low, name) <= Math.max(3, name.length()))
        .min(Comparator.comparingInt(name -> edits(low, name)));
  }

  /** How many letters must be put in, left out or replaced (Levenshtein 1966). */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
