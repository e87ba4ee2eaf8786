package dev.discreet.lab;

import java.util.OptionalDouble;

/**
 * A line of the table that every experiment has.
 *
 * @param published what the document has; empty where it shows a curve without numbers, or nothing
 * @param decimals to show
 */
public record Row(
    String setting, String method, OptionalDouble published, Sample ours, int decimals) {
  public Row(String setting, String method, double published, Sample ours, int decimals) {
    this(setting, method, OptionalDouble.of(published), ours, decimals);
  }

  public Row(String setting, String method, Sample ours, int decimals) {
    this(setting, method, OptionalDouble.empty(), ours, decimals);
  }

  /** A dash where there is none. */
  public String publishedText() {
    return published.isPresent() ? Sample.number(published.getAsDouble(), decimals) : "—";
  }
}
