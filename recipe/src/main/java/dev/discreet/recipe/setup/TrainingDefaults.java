package dev.discreet.recipe.setup;

import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Task;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * What a run is where nobody says otherwise: functions of public facts only, chosen by measurement.
 *
 * @param units the declared number
 */
public record TrainingDefaults(long units, Shape input, Task task, boolean isPrivate) {
  /** What a step's noise may move a parameter by; less than that much gradient is lost in it. */
  private static final double NOISE = 0.0045;

  public double delta() {
    return DefaultDelta.of(units);
  }

  private boolean images() {
    return input.positions() > 1;
  }

  private int classes() {
    return task instanceof Task.Classes several ? several.names().size() : 0;
  }

  public String model() {
    if (task instanceof Task.Number) {
      return "linear";
    } else if (!images()) {
      return "logistic";
    } else if (input.equals(new Shape(32, 32, 3))) {
      return "cifar-cnn";
    } else if (Math.min(input.height(), input.width()) < 20) {
      return "flatten dense(64) tanh dense(" + classes() + ")";
    }
    return "conv(16,8,stride=2,pad=3) tanh maxpool(2,stride=1) conv(32,4,stride=2) tanh"
        + " maxpool(2,stride=1) flatten dense(32) tanh dense("
        + classes()
        + ")";
  }

  /** Measured on 20,000 and 60,000 units; of fewer than 10,000 about a tenth. */
  public long lotSize() {
    return units < 10_240 ? Math.max(1, units / 10) : units < 40_000 ? 1024 : 2048;
  }

  public double epochs() {
    return images() ? 40 : 20;
  }

  /**
   * Deep models move in steps of this length whatever it is. A linear one has an optimum that
   * clipping shifts, so gradients of inputs in [0, 1] mostly pass whole.
   */
  public double clip() {
    return images() ? 0.1 : Math.min(4, Math.ceil(Math.sqrt(input.size())));
  }

  /** For plain steps. The product with the threshold is what moves a clipped model. */
  public double learningRate(double lot, double noiseMultiplier, double clip, boolean adaptive) {
    if (adaptive) {
      return 0.002;
    } else if (!isPrivate) {
      return images() ? 0.1 : 0.5;
    }
    return new BigDecimal(product(lot, noiseMultiplier) / clip)
        .round(new MathContext(6))
        .doubleValue();
  }

  private double product(double lot, double noiseMultiplier) {
    if (!images()) {
      return clip() * (classes() > 0 ? 0.5 : 0.1);
    }
    double most = lot >= 4096 ? 4 : lot >= 2048 ? 3 : lot >= 1024 ? 2 : lot >= 512 ? 1 : 0.5;
    double bearable = NOISE * lot / noiseMultiplier;
    return Math.min(most, Double.parseDouble(String.format(Locale.ROOT, "%.2g", bearable)));
  }

  /** Remembers about a twelfth of the run: longer is smoother, and lags behind. */
  public double ema(long steps) {
    double share = 12.0 / Math.max(12, steps);
    if (share >= 0.001) {
      return Math.round(1000 * (1 - share)) / 1000.0;
    }
    // Two digits of what is missing to 1, which a long run must not reach.
    BigDecimal missing = new BigDecimal(Math.max(1e-9, share)).round(new MathContext(2));
    return BigDecimal.ONE.subtract(missing).doubleValue();
  }
}
