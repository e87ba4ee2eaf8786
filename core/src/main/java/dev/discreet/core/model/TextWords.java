package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * The words of a text: its longest stretches of letters, marks on letters and decimal digits, as
 * Unicode tells them, each letter in lower case by itself. The same in every language and place,
 * for letters that the Unicode of both Java versions has: a newer one may know a few letters more.
 */
final class TextWords {
  private static final int WORD =
      1 << Character.UPPERCASE_LETTER
          | 1 << Character.LOWERCASE_LETTER
          | 1 << Character.TITLECASE_LETTER
          | 1 << Character.MODIFIER_LETTER
          | 1 << Character.OTHER_LETTER
          | 1 << Character.NON_SPACING_MARK
          | 1 << Character.COMBINING_SPACING_MARK
          | 1 << Character.ENCLOSING_MARK
          | 1 << Character.DECIMAL_DIGIT_NUMBER;

  private TextWords() {}

  /** Refuses a cell without text, and one that is garbled. */
  static List<String> ofCell(String column, String cell) {
    if (cell.isBlank() || cell.indexOf(InputColumn.GARBLED) >= 0) {
      Check.that(false, column, "a text", cell);
    }
    return of(cell);
  }

  static List<String> of(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      if ((WORD >> Character.getType(point) & 1) == 1) {
        word.appendCodePoint(Character.toLowerCase(point));
      } else if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }
}
