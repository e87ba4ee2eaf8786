package dev.discreet.accounting.statement;

import dev.discreet.accounting.PublicApi;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One paragraph of a privacy statement.
 *
 * <pre>{@code
 * for (StatementParagraph each : statement.paragraphs()) {
 *   System.out.println(each.title() + ": " + each.body());
 * }
 * }</pre>
 *
 * @param title what it tells of, such as "Promise" or "Who is protected"
 * @param body what it says: sentences on one line
 */
@PublicApi
public record StatementParagraph(String title, String body) {
  private static final int WIDTH = 88;

  /**
   * The title, a colon and the body, in lines of a statement's width.
   *
   * @return lines that each end in a line break
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder(title).append(": ");
    for (String word : body.split(" ")) {
      if (line.length() + word.length() > WIDTH) {
        text.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder("  ");
      }
      line.append(word).append(' ');
    }
    return text.append(line.toString().stripTrailing()).append('\n').toString();
  }

  /**
   * Paragraphs one below the other, with an empty line between any two.
   *
   * @param paragraphs in the order in which they are told
   * @return lines that each end in a line break
   */
  public static String text(List<StatementParagraph> paragraphs) {
    return paragraphs.stream().map(StatementParagraph::text).collect(Collectors.joining("\n"));
  }
}
