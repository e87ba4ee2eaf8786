package dev.discreet.cli.train;

import java.util.Collection;
import java.util.Comparator;

/** The known word that somebody may have meant. */
final class Nearest {
  private Nearest() {}

  /** By the number of letters to change, add or drop; the first of equals. */
  static String of(String word, Collection<String> known) {
    String plain = word.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    return known.stream().min(Comparator.comparingInt(each -> distance(plain, each))).orElseThrow();
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
