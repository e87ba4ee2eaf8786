package dev.discreet.recipe.setup;

import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Defaults that follow from public facts about the data. They were chosen by measurement.
 *
 * @param units the declared number
 * @param onFeatures what a model on fixed features of images sees, and is; empty for others
 */
record TrainingDefaults(
    long units, Shape input, Task task, boolean isPrivate, Optional<OnFeatures> onFeatures) {
  /** How far the noise of a step may move a parameter: smaller gradients are lost in it. */
  private static final double NOISE = 0.0045;

  private static final Scattering FEATURES = new Scattering(2, 8, 3);

  /** More values of an image than a linear model can learn privately. */
  private static final int MOST_FEATURES = 1 << 16;

  /** More of them in a temporary file than anyone expects who did not ask for it. */
  private static final long MOST_BYTES = 4L << 30;

  /**
   * @param values of one image
   */
  private record OnFeatures(int values, boolean linear) {}

  TrainingDefaults(long units, Shape input, Task task, boolean isPrivate) {
    this(units, input, task, isPrivate, Optional.empty());
  }

  /** For this model. */
  TrainingDefaults on(Layout layout) {
    Layout seen = layout.afterFeatures();
    if (seen == layout) {
      return this;
    }
    List<Class<?>> kinds = seen.network().layers().stream().<Class<?>>map(Layer::getClass).toList();
    boolean linear =
        Set.of(Layer.Shift.class, Layer.Flatten.class, Layer.Dense.class).containsAll(kinds)
            && Collections.frequency(kinds, Layer.Dense.class) == 1;
    OnFeatures found = new OnFeatures(seen.input().size(), linear);
    return new TrainingDefaults(units, input, task, isPrivate, Optional.of(found));
  }

  /**
   * Where it was measured that they help, and their file stays small.
   *
   * @param mirrored whether those of mirror images are kept too
   */
  Optional<Scattering> features(boolean mirrored) {
    int least = Math.min(input.height(), input.width());
    boolean fits =
        isPrivate
            && task instanceof Task.Classes
            && least >= 20
            && Math.max(input.height(), input.width()) <= 40
            && input.height() % FEATURES.stride() == 0
            && input.width() % FEATURES.stride() == 0;
    if (!fits) {
      return Optional.empty();
    }
    int values = FEATURES.output(input).size();
    long most = MOST_BYTES / Short.BYTES / values / (mirrored ? 2 : 1);
    return Optional.of(FEATURES).filter(any -> values <= MOST_FEATURES && units <= most);
  }

  double delta() {
    return DefaultDelta.of(units);
  }

  private boolean images() {
    return input.positions() > 1;
  }

  /**
   * @param featured whether it comes after fixed features
   */
  String model(boolean featured) {
    return task.match(classes -> featured ? "logistic" : classifier(classes), number -> "linear");
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
    if (onFeatures.isPresent()) {
      // About 1,200 steps, whose number decides more than their size does.
      return Math.max(1, units / (onFeatures.get().linear() ? 15 : 25));
    }
    return units < 10_240 ? Math.max(1, units / 10) : units < 40_000 ? 1024 : 2048;
  }

  double epochs() {
    return onFeatures.isPresent() ? 80 : images() ? 40 : 20;
  }

  /**
   * For a deep model the threshold only scales its steps. Clipping shifts the optimum of a linear
   * model, so there most gradients of inputs in [0, 1] are not clipped.
   */
  double clip() {
    return onFeatures.isPresent()
        ? 1
        : images() ? 0.1 : Math.min(4, Math.ceil(Math.sqrt(input.size())));
  }

  /** Its product with the threshold decides how far a step moves a clipped model. */
  double learningRate(
      double lot, double noiseMultiplier, long steps, double clip, boolean adaptive) {
    if (adaptive) {
      return 0.002;
    } else if (!isPrivate) {
      return onFeatures.isPresent() ? 0.01 : images() ? 0.1 : 0.5;
    }
    return new BigDecimal(product(lot, noiseMultiplier, steps) / clip)
        .round(new MathContext(6))
        .doubleValue();
  }

  private double product(double lot, double noiseMultiplier, long steps) {
    if (onFeatures.isPresent()) {
      // How far all noise of the run together moves the parameters.
      OnFeatures seen = onFeatures.get();
      double far = seen.linear() ? 4.5 / Math.sqrt(seen.values()) : 0.115;
      return Math.min(16, far * lot / (noiseMultiplier * Math.sqrt(steps)));
    }
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
