package dev.discreet.core.privacy;

/** A paragraph of a privacy statement, wrapped to the statement's width. */
public final class StatementParagraph {
  private StatementParagraph() {}

  public static String of(String text) {
    StringBuilder lines = new StringBuilder();
    int width = 0;
    for (String word : text.split(" ")) {
      boolean fits = width + word.length() < 88;
      lines.append(fits && width > 0 ? " " : width > 0 ? "\n  " : "\n").append(word);
      width = (fits ? width + 1 : 2) + word.length();
    }
    return lines.append("\n").toString();
  }
}
