package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.data.DataSet;
import dev.discreet.data.Task;
import java.util.regex.Pattern;

/** The network that settings ask for, on the data's shape. */
final class ModelChoices {
  /** Names that take {@code classes=}, without it. */
  private static final Pattern CLASSIFIER =
      Pattern.compile("(logistic|mnist-cnn|cifar-cnn)|(mlp\\([\\d\\s,]+)\\)");

  private ModelChoices() {}

  static Layout layout(Choices choices, DataSet data, TrainingDefaults defaults) {
    return layout(choices.or(Settings.MODEL, defaults.model()), data);
  }

  static Layout layout(String text, DataSet data) {
    Network network = Network.named(withClasses(text, data.task()));
    Layout layout = network.on(data.train().examples().input());
    check(layout, data.task());
    return layout;
  }

  /** A name alone stands for the data's number of classes. */
  private static String withClasses(String text, Task task) {
    var name = CLASSIFIER.matcher(text.strip());
    if (!(task instanceof Task.Classes several) || !name.matches()) {
      return text;
    }
    int classes = several.names().size();
    return name.group(1) != null
        ? name.group(1) + "(classes=" + classes + ")"
        : name.group(2) + ",classes=" + classes + ")";
  }

  /** That outputs and loss can be held against the targets. */
  static void check(Layout layout, Task task) {
    Loss loss = layout.network().loss();
    int outputs = layout.outputs();
    if (task instanceof Task.Classes several) {
      int classes = several.names().size();
      boolean oneForTwo = classes == 2 && outputs == 1 && loss instanceof Loss.Logistic;
      Check.that(
          outputs == classes || oneForTwo,
          "outputs of the model",
          "as many as the data have classes, " + classes,
          outputs);
    } else {
      Check.that(
          outputs == 1 && !(loss instanceof Loss.SoftmaxCrossEntropy),
          "model",
          "of one output and loss=squared or loss=huber(T), for the data have a number to predict",
          layout.network());
    }
  }
}
