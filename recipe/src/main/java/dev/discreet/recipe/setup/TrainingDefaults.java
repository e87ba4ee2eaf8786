package dev.discreet.recipe.setup;

import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * Defaults that follow from public facts about the data. They were chosen by measurement.
 *
 * @param units the declared number
 */
record TrainingDefaults(long units, Shape input, Task task, boolean isPrivate) {
  /** How far the noise of a step may move a parameter: smaller gradients are lost in it. */
  private static final double NOISE = 0.0045;

  double delta() {
    return DefaultDelta.of(units);
  }

  private boolean images() {
    return input.positions() > 1;
  }

  String model() {
    return task.match(this::classifier, number -> "linear");
  }

  private String classifier(Task.Classes classes) {
    if (!images()) {
      return "logistic";
    } else if (input.equals(new Shape(32, 32, 3))) {
      return "cifar-cnn";
    } else if (Math.min(input.height(), input.width()) < 20) {
      return "flatten dense(64) tanh dense(" + classes.names().size() + ")";
    }
    return "conv(16,8,stride=2,pad=3) tanh maxpool(2,stride=1) conv(32,4,stride=2) tanh"
        + " maxpool(2,stride=1) flatten dense(32) tanh dense("
        + classes.names().size()
        + ")";
  }

  /** Measured on 20,000 and 60,000 units. Of fewer than 10,240 units, a lot has about a tenth. */
  long lotSize() {
    return units < 10_240 ? Math.max(1, units / 10) : units < 40_000 ? 1024 : 2048;
  }

  double epochs() {
    return images() ? 40 : 20;
  }

  /**
   * For a deep model the threshold only scales its steps. Clipping shifts the optimum of a linear
   * model, so there most gradients of inputs in [0, 1] are not clipped.
   */
  double clip() {
    return images() ? 0.1 : Math.min(4, Math.ceil(Math.sqrt(input.size())));
  }

  /** Its product with the threshold decides how far a step moves a clipped model. */
  double learningRate(double lot, double noiseMultiplier, double clip, boolean adaptive) {
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
      return clip() * task.<Double>match(classes -> 0.5, number -> 0.1);
    }
    double most = lot >= 4096 ? 4 : lot >= 2048 ? 3 : lot >= 1024 ? 2 : lot >= 512 ? 1 : 0.5;
    double bearable = NOISE * lot / noiseMultiplier;
    return Math.min(most, Double.parseDouble(String.format(Locale.ROOT, "%.2g", bearable)));
  }

  /** Averages over about a twelfth of the run: a longer average is smoother but lags behind. */
  double ema(long steps) {
    double share = 12.0 / Math.max(12, steps);
    if (share >= 0.001) {
      return Math.round(1000 * (1 - share)) / 1000.0;
    }
    // The difference from 1 has two digits: rounded to three decimals, a long run would reach 1.
    BigDecimal missing = new BigDecimal(Math.max(1e-9, share)).round(new MathContext(2));
    return BigDecimal.ONE.subtract(missing).doubleValue();
  }
}
