package dev.discreet.report;

import java.awt.image.BufferedImage;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How often examples of each class were taken for each other: a heat table, or a picture and the
 * worst of it where a table would have too many cells to read.
 */
final class Confusion {
  static final int MOST_IN_A_TABLE = 20;
  private static final int WORST = 15;
  private static final int LONGEST_NAME = 24;
  private static final int RIGHT = 0x2E8BC8;
  private static final int WRONG = 0xE0701A;

  private final List<String> names;
  private final List<List<Integer>> counts;
  private final int size;
  private final double largestError;

  Confusion(List<String> names, List<List<Integer>> counts) {
    this.names = names;
    this.counts = counts;
    this.size = counts.size();
    this.largestError =
        cells()
            .filter(cell -> cell.truth != cell.taken)
            .mapToDouble(cell -> share(cell.truth, cell.taken))
            .max()
            .orElse(0);
  }

  private record Cell(int truth, int taken) {}

  private Stream<Cell> cells() {
    return IntStream.range(0, size)
        .boxed()
        .flatMap(i -> IntStream.range(0, size).mapToObj(j -> new Cell(i, j)));
  }

  private int count(int truth, int taken) {
    return counts.get(truth).get(taken);
  }

  private long ofClass(int truth) {
    return counts.get(truth).stream().mapToLong(Integer::longValue).sum();
  }

  private long takenFor(int taken) {
    return counts.stream().mapToLong(row -> row.get(taken)).sum();
  }

  /** The share of the examples of a class; 0 where the class has none. */
  private double share(int truth, int taken) {
    return (double) count(truth, taken) / Math.max(1, ofClass(truth));
  }

  private String name(int index) {
    return names.isEmpty() ? Integer.toString(index) : names.get(index);
  }

  /** A name, cut where it is so long that it would leave no room for the table. */
  private String shortName(int index) {
    String name = name(index);
    boolean fits = name.codePointCount(0, name.length()) <= LONGEST_NAME;
    String shown = fits ? name : name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME)) + "…";
    String whole = fits ? "" : " title=\"" + Html.escape(name) + "\"";
    return "<span" + whole + ">" + Html.escape(shown) + "</span>";
  }

  String html() {
    return size <= MOST_IN_A_TABLE ? table() : condensed();
  }

  /** Too many columns for wide ones. */
  private boolean dense() {
    return size > 12 && size <= MOST_IN_A_TABLE;
  }

  private String shareOf(int part, long whole) {
    return whole == 0 ? "–" : Html.percent((double) part / whole, dense() ? 0 : 1);
  }

  private String table() {
    StringBuilder out = new StringBuilder("<p>A row is a true class, a column what the model took");
    out.append(" it for. Recall is the share of a class that was found, precision the share of a");
    out.append(" column that is right.</p><div class=\"scroll\" tabindex=\"0\" role=\"region\"");
    out.append(" aria-label=\"Confusion matrix\">");
    out.append("<table class=\"confusion" + (dense() ? " dense" : "") + "\">");
    out.append("<thead><tr><td class=\"corner\">truth ↓<br>taken for →</td>");
    for (int j = 0; j < size; j++) {
      out.append("<th scope=\"col\">" + shortName(j) + "</th>");
    }
    out.append("<th scope=\"col\"><span>Recall</span></th></tr></thead><tbody>");
    for (int i = 0; i < size; i++) {
      out.append("<tr><th scope=\"row\">" + shortName(i) + "</th>");
      for (int j = 0; j < size; j++) {
        out.append(cell(i, j));
      }
      out.append("<td class=\"sum\">" + shareOf(count(i, i), ofClass(i)) + "</td></tr>\n");
    }
    out.append("</tbody><tfoot><tr>" + Html.rowHead("Precision"));
    for (int j = 0; j < size; j++) {
      out.append("<td class=\"sum\">" + shareOf(count(j, j), takenFor(j)) + "</td>");
    }
    return out.append("<td></td></tr></tfoot></table></div>\n").toString();
  }

  private String cell(int i, int j) {
    if (count(i, j) == 0) {
      return "<td class=\"zero\">0</td>";
    }
    return String.format(
        Locale.ROOT,
        "<td class=\"%s\" style=\"--s:%.3f\">%s</td>",
        i == j ? "right" : "wrong",
        heat(i, j),
        Html.count(count(i, j)));
  }

  /** 0 to 1. Errors are held against the largest one, or few of them would show. */
  private double heat(int i, int j) {
    return i == j
        ? share(i, j)
        : largestError == 0 ? 0 : Math.sqrt(share(i, j) / largestError) * 0.9 + 0.1;
  }

  private String condensed() {
    BufferedImage image = new BufferedImage(size, size, BufferedImage.TYPE_INT_ARGB);
    cells()
        .filter(cell -> count(cell.truth, cell.taken) > 0)
        .forEach(
            cell -> {
              int alpha = (int) Math.round(255 * heat(cell.truth, cell.taken));
              int colour = cell.truth == cell.taken ? RIGHT : WRONG;
              image.setRGB(cell.taken, cell.truth, alpha << 24 | colour);
            });
    return "<div class=\"pair\"><figure class=\"heat\"><img class=\"pixels\" src=\""
        + Html.png(image)
        + "\" alt=\"Confusion matrix of "
        + (size + " classes as a picture; the tables tell the worst of it\">")
        + "<figcaption>Down: the true class. Across: what it was taken for. Blue: right, orange:"
        + " wrong, stronger for a larger share of the class.</figcaption></figure><div>"
        + leastFound()
        + "</div></div>"
        + mostConfused();
  }

  private String mostConfused() {
    StringBuilder out = new StringBuilder("<table><caption>Confused most often</caption>");
    out.append(Html.head(List.of("truth", "taken for", "examples", "of the class")) + "<tbody>");
    cells()
        .filter(cell -> cell.truth != cell.taken && count(cell.truth, cell.taken) > 0)
        .sorted(Comparator.comparingDouble(cell -> -share(cell.truth, cell.taken)))
        .limit(WORST)
        .forEach(
            cell ->
                out.append("<tr>")
                    .append(Html.rowHead(name(cell.truth)) + Html.cell(name(cell.taken)))
                    .append(Html.number(Html.count(count(cell.truth, cell.taken))))
                    .append(Html.number(Html.percent(share(cell.truth, cell.taken))))
                    .append("</tr>"));
    return out.append("</tbody></table>").toString();
  }

  private String leastFound() {
    StringBuilder out = new StringBuilder("<table><caption>Classes found least often</caption>");
    out.append(Html.head(List.of("class", "examples", "recall", "precision")) + "<tbody>");
    IntStream.range(0, size)
        .filter(i -> ofClass(i) > 0)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> share(i, i)))
        .limit(WORST)
        .forEach(
            i ->
                out.append("<tr>")
                    .append(Html.rowHead(name(i)) + Html.number(Html.count(ofClass(i))))
                    .append(Html.number(shareOf(count(i, i), ofClass(i))))
                    .append(Html.number(shareOf(count(i, i), takenFor(i))))
                    .append("</tr>"));
    return out.append("</tbody></table>\n").toString();
  }
}
