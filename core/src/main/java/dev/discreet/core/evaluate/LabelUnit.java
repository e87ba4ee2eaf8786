package dev.discreet.core.evaluate;

import dev.discreet.accounting.PublicApi;

/**
 * What a number to predict is counted in. Targets are scaled to [0, 1] by its public bounds.
 *
 * <pre>{@code
 * LabelUnit income = new LabelUnit("dollars", 200_000);
 * }</pre>
 *
 * @param name empty for none
 * @param width of those bounds
 */
@PublicApi
public record LabelUnit(String name, double width) {
  /** As targets are. */
  public static final LabelUnit SCALED = new LabelUnit("", 1);
}
