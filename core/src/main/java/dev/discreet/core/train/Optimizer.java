package dev.discreet.core.train;

import dev.discreet.accounting.Check;

/**
 * How a noisy mean gradient g moves the parameters, with learning rate η. Descriptions only; what
 * an optimizer remembers lives in {@link OptimizerState}. Formulas are those of PyTorch, so a
 * recipe found with it carries over.
 */
public sealed interface Optimizer {

  /** θ ← θ − ηg. */
  record Sgd() implements Optimizer {}

  /** b ← μb + g, θ ← θ − ηb: no dampening. */
  record Momentum(double momentum) implements Optimizer {
    public Momentum {
      checkShare(momentum, "momentum");
    }
  }

  /** b ← μb + g, θ ← θ − η(g + μb). */
  record Nesterov(double momentum) implements Optimizer {
    public Nesterov {
      checkShare(momentum, "momentum");
    }
  }

  /**
   * m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², θ ← θ − η·m̂/(√v̂ + ε), with m̂ = m/(1−β₁ᵗ) and v̂ =
   * v/(1−β₂ᵗ).
   */
  record Adam(double beta1, double beta2, double epsilon) implements Optimizer {
    public Adam {
      checkShare(beta1, "beta1");
      checkShare(beta2, "beta2");
      Check.nonNegative(epsilon, "epsilon of adam");
    }

    public Adam() {
      this(0.9, 0.999, 1e-8);
    }
  }

  /** θ ← (1 − ηλ)θ, then as {@link Adam}. */
  record AdamW(double beta1, double beta2, double epsilon, double decay) implements Optimizer {
    public AdamW {
      checkShare(beta1, "beta1");
      checkShare(beta2, "beta2");
      Check.nonNegative(epsilon, "epsilon of adamw");
      Check.that(
          decay >= 0 && Double.isFinite(decay), "weight decay", "finite and at least 0", decay);
    }

    public AdamW(double decay) {
      this(0.9, 0.999, 1e-8, decay);
    }
  }

  /**
   * Adam whose second moment is freed of what the privacy noise adds to it (Tang, Shpilka and
   * Lécuyer 2023, DP-AdamBC): θ ← θ − η·m̂/√max(v̂ − Φ, γ), where Φ is the noise variance of a
   * coordinate, (σC/L)². Without it Φ dwarfs v̂ and Adam becomes SGD with momentum. Where σ or C
   * follow a schedule, Φ is averaged over steps just as v is.
   *
   * @param floor γ: smaller steps faster on coordinates without signal, and noisier
   */
  record DpAdam(double beta1, double beta2, double floor) implements Optimizer {
    public DpAdam {
      checkShare(beta1, "beta1");
      checkShare(beta2, "beta2");
      Check.positive(floor, "floor of dpadam");
    }

    /** With the betas of {@link Adam}. The floor depends on the problem and has no default. */
    public DpAdam(double floor) {
      this(0.9, 0.999, floor);
    }
  }

  private static void checkShare(double value, String name) {
    Check.that(value >= 0 && value < 1, name, "in [0, 1)", value);
  }
}
