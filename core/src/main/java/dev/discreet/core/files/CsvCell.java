package dev.discreet.core.files;

/** A text as a cell of a file with commas. */
public final class CsvCell {
  private CsvCell() {}

  /** {@return the text, in quotes where a reader would take it apart} */
  public static String text(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
