package dev.discreet.core.privacy;

import dev.discreet.core.schedule.Schedule;
import java.util.Optional;

/**
 * How much noise. A step's multiplier is that of everything that it releases, (Σσ⁻²)^−½: of its
 * groups and, with adaptive clipping, their counts.
 */
public sealed interface NoiseAmount {
  /** False for a run that is non-private by name. */
  boolean isPrivate();

  /** What the noise is fitted to, if it is. */
  Optional<Target> fittedTo();

  /** The multiplier of each step; where noise is fitted, how those of the steps compare. */
  Schedule shape();

  /** This multiplier at each step. */
  record Given(Schedule multiplier) implements NoiseAmount {
    @Override
    public boolean isPrivate() {
      return true;
    }

    @Override
    public Optional<Target> fittedTo() {
      return Optional.empty();
    }

    @Override
    public Schedule shape() {
      return multiplier;
    }
  }

  /** As much noise as the target needs. {@code shape} says how the noise of the steps compares. */
  record Fitted(Target target, Schedule shape) implements NoiseAmount {
    @Override
    public boolean isPrivate() {
      return true;
    }

    @Override
    public Optional<Target> fittedTo() {
      return Optional.of(target);
    }
  }

  /** No noise: a run that is non-private by name. */
  record Nothing() implements NoiseAmount {
    @Override
    public boolean isPrivate() {
      return false;
    }

    @Override
    public Optional<Target> fittedTo() {
      return Optional.empty();
    }

    @Override
    public Schedule shape() {
      return Schedule.constant(0);
    }
  }
}
