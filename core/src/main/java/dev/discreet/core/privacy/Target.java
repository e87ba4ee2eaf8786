package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;

/** The (ε, δ) that a run may cost. */
public record Target(double epsilon, double delta) {
  /** Refuses an ε that is not above 0, and a δ outside its range. */
  public Target {
    Check.that(
        epsilon > 0 && Double.isFinite(epsilon), "epsilon", "finite and greater than 0", epsilon);
    Check.delta(delta);
  }
}
