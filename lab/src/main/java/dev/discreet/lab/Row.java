package dev.discreet.lab;

/**
 * A line of the table that every experiment has.
 *
 * @param published what the document has; NaN where it shows a curve without numbers, or nothing
 * @param decimals to show
 */
public record Row(String setting, String method, double published, Sample ours, int decimals) {

  /** A dash where there is none. */
  public String publishedText() {
    return Double.isNaN(published) ? "—" : Sample.number(published, decimals);
  }
}
