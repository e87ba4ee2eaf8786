package dev.discreet.data;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that a mistyped one was meant to be. */
public final class NearestName {
  private NearestName() {}

  /** Empty where more than a third of the letters of every name would have to change. */
  public static Optional<String> to(String typed, Collection<String> names) {
    String low = typed.toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> low.length() < 2 * name.length())
        .filter(name -> 3 * edits(low, name) <= Math.max(3, name.length()))
        .min(Comparator.comparingInt(name -> edits(low, name)));
  }

  /**
   * How many letters must be put in, left out, replaced or exchanged with the next one (Damerau
   * 1964, each place touched once).
   */
  private static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        edits[i][j] =
            Math.min(
                edits[i - 1][j - 1] + (same ? 0 : 1),
                1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean exchanged =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        if (exchanged) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[from.length()][to.length()];
  }
}
