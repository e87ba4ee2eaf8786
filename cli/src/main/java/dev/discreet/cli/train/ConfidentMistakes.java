package dev.discreet.cli.train;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Predictions;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.report.TrainingReport.Misread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The images of a public test set that a model is most sure about and wrong. */
final class ConfidentMistakes {
  private static final int SHOWN = 12;

  private ConfidentMistakes() {}

  private record Wrong(int example, int truth, int taken, double confidence) {}

  static List<Misread> of(TrainingSetup setup, Model model) {
    Shape shape = setup.layout().input();
    DataSet.Part test = setup.data().test().orElse(null);
    boolean pictures = shape.positions() > 1 && (shape.channels() == 1 || shape.channels() == 3);
    // Rows of people are shown nowhere.
    if (test == null
        || !test.isPublic()
        || !pictures
        || !(setup.data().task() instanceof Task.Classes classes)) {
      return List.of();
    }
    Comparator<Wrong> surest = Comparator.comparingDouble(Wrong::confidence);
    PriorityQueue<Wrong> worst = new PriorityQueue<>(surest);
    float[] target = new float[1];
    Predictions.of(
        setup.engine(),
        model,
        test.examples(),
        (example, probabilities, taken) -> {
          test.examples().target(example, target, 0);
          if (taken != (int) target[0]) {
            worst.add(new Wrong(example, (int) target[0], taken, probabilities[taken]));
            if (worst.size() > SHOWN) {
              worst.remove();
            }
          }
        });
    List<Misread> shown = new ArrayList<>();
    worst.stream()
        .sorted(surest.reversed())
        .forEach(
            wrong ->
                shown.add(
                    new Misread(
                        shape,
                        pixels(test.examples(), wrong.example()),
                        classes.names().get(wrong.truth()),
                        classes.names().get(wrong.taken()),
                        Math.min(1, wrong.confidence()))));
    return shown;
  }

  /**
   * The pixels, from the darkest value to the lightest. That undoes a normalisation that is not
   * known here.
   */
  private static byte[] pixels(Examples examples, int example) {
    float[] values = new float[examples.input().size()];
    examples.input(example, values, 0);
    float low = Float.POSITIVE_INFINITY;
    float high = Float.NEGATIVE_INFINITY;
    for (float value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    byte[] pixels = new byte[values.length];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) Math.round(255 * (values[i] - low) / Math.max(1e-9f, high - low));
    }
    return pixels;
  }
}
