package dev.discreet.core.optimize;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * How parameters are pulled to zero, at rate λ.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.of(network, plan).weightDecay(new WeightDecay.Decoupled(1e-4, true));
 * }</pre>
 */
@PublicApi
public sealed interface WeightDecay {

  /**
   * λ of what is part of each unit's gradient before it is clipped; 0 for none.
   *
   * @return at least 0
   */
  double beforeClipping();

  /**
   * λ of what shrinks parameters at each update, outside clipping; 0 for none.
   *
   * @return at least 0
   */
  double atUpdates();

  /**
   * Whether only weights are pulled, and neither biases nor what a normalisation learns.
   *
   * @return whether biases and the like are left alone
   */
  boolean weightsOnly();

  /** Parameters are left where gradients put them. */
  record None() implements WeightDecay {
    @Override
    public double beforeClipping() {
      return 0;
    }

    @Override
    public double atUpdates() {
      return 0;
    }

    @Override
    public boolean weightsOnly() {
      return false;
    }
  }

  /**
   * θ ← (1 − ηλ)θ − η·step: outside clipping, so a clipped gradient may be too short to hold
   * against it, and θ then settles where only C and λ decide.
   *
   * @param rate λ, at least 0
   * @param weightsOnly whether biases and what a normalisation learns are left alone
   */
  record Decoupled(double rate, boolean weightsOnly) implements WeightDecay {
    /** Refuses a λ that is negative or infinite. */
    public Decoupled {
      checkRate(rate);
    }

    @Override
    public double beforeClipping() {
      return 0;
    }

    @Override
    public double atUpdates() {
      return rate;
    }
  }

  /**
   * λθ is part of each unit's gradient before it is clipped, so the minimum of the penalised loss
   * stays a point of rest. The noise is added once to the clipped sum, which is divided by the
   * expected lot (not, as one print of it has, inside the sum and by the drawn lot).
   *
   * @param rate λ, at least 0
   * @param weightsOnly whether biases and what a normalisation learns are left alone
   */
  record BeforeClipping(double rate, boolean weightsOnly) implements WeightDecay {
    /** Refuses a λ that is negative or infinite. */
    public BeforeClipping {
      checkRate(rate);
    }

    @Override
    public double beforeClipping() {
      return rate;
    }

    @Override
    public double atUpdates() {
      return 0;
    }
  }

  private static void checkRate(double rate) {
    Check.that(rate >= 0 && Double.isFinite(rate), "weight decay", "finite and at least 0", rate);
  }
}
