package dev.discreet.cli.train;

import dev.discreet.core.nn.Shape;
import dev.discreet.data.Task;

/**
 * What a run is where nobody says otherwise: functions of public facts only, chosen by measurement.
 *
 * @param units the declared number
 */
record TrainingDefaults(long units, Shape input, Task task, boolean isPrivate) {
  static final String DATA = "digits";
  static final String EPSILON = "3";
  static final String DELTA = "1e-5";

  private boolean images() {
    return input.positions() > 1;
  }

  private int classes() {
    return task instanceof Task.Classes several ? several.names().size() : 0;
  }

  String model() {
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

  /** About a fifteenth, as a power of two; of few units a quarter. */
  long lotSize() {
    if (units < 1024) {
      return Math.max(1, units / 4);
    }
    long power = 1L << Math.round(Math.log(units / 15.0) / Math.log(2));
    return Math.max(256, Math.min(4096, power));
  }

  double epochs() {
    return images() ? 40 : 20;
  }

  double clip() {
    return images() ? 0.1 : 1;
  }

  /** For plain steps. The product with the threshold is what moves a clipped model. */
  double learningRate(double lot, double clip, boolean adaptive) {
    if (adaptive) {
      return 0.002;
    } else if (!isPrivate) {
      return images() ? 0.1 : 0.5;
    }
    return product(lot) / clip;
  }

  private double product(double lot) {
    if (!images()) {
      return 1;
    }
    return lot >= 4096 ? 4 : lot >= 1024 ? 2 : lot >= 512 ? 1 : 0.5;
  }

  double ema() {
    return images() ? 0.99 : 0.9;
  }
}
