package dev.discreet.recipe.setting;

import java.util.Locale;

/** How a regression is computed from sums over rows. */
public enum FitMethod {
  /** The functional mechanism with Gaussian noise: one release. */
  FUNCTIONAL_GAUSSIAN,
  /** AdaSSP: Gaussian noise, and a ridge that a third released sum decides. */
  SUFFICIENT_STATISTICS,
  /** The functional mechanism with Laplace noise: two releases, δ = 0. */
  FUNCTIONAL,
  /** No noise: it protects no one. */
  LEAST_SQUARES;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public boolean isPrivate() {
    return this != LEAST_SQUARES;
  }
}
