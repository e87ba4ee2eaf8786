package dev.discreet.core.evaluate;

/**
 * What a number to predict is counted in. Targets are scaled to [0, 1] by its public bounds.
 *
 * @param name empty for none
 * @param width of those bounds
 */
public record LabelUnit(String name, double width) {
  /** As targets are. */
  public static final LabelUnit SCALED = new LabelUnit("", 1);
}
