package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.ClassBalance;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ModelSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The network that settings ask for, on the data's shape. */
public final class ModelChoices {
  /** A named network that takes {@code classes=} but was written without it. */
  private static final Pattern CLASSIFIER =
      Pattern.compile(
          "(logistic|mnist-cnn|cifar-cnn|scattering-linear|scattering-cnn)|((?:mlp|wrn)\\([\\d\\s,]+)\\)");

  private ModelChoices() {}

  /**
   * @param otherwise the network where none is asked for
   * @param whole puts what stands before a network before it
   */
  public static Layout layout(
      EffectiveSettings choices,
      Task task,
      Shape input,
      String otherwise,
      UnaryOperator<Network> whole) {
    String text = choices.or(ModelSettings.MODEL, otherwise);
    Network network = balanced(Network.named(withClasses(text, task)), choices, task);
    Layout layout = whole.apply(network).on(input);
    check(layout, task);
    return layout;
  }

  /** The network with what is declared of classes. */
  private static Network balanced(Network network, EffectiveSettings choices, Task task) {
    ClassBalance balance = network.loss().balance();
    Optional<Map<String, Double>> weights = choices.get(ModelSettings.CLASS_WEIGHTS);
    if (weights.isPresent()) {
      balance = balance.weighing(ofClasses(weights.get(), task));
    }
    Optional<Double> threshold = choices.get(ModelSettings.THRESHOLD);
    if (threshold.isPresent()) {
      balance = balance.takingAbove(threshold.get());
    }
    return new Network(network.layers(), network.loss().with(balance));
  }

  /** In the order of the classes; those without a weight have 1. */
  private static double[] ofClasses(Map<String, Double> weights, Task task) {
    List<String> names = task.match(Task.Classes::names, number -> List.of());
    for (String each : weights.keySet()) {
      Check.that(names.contains(each), "class-weights", "of the classes " + names, each);
    }
    return names.stream().mapToDouble(name -> weights.getOrDefault(name, 1.0)).toArray();
  }

  /** The network without weights or a threshold of classes. */
  static Network evenly(Network network) {
    return new Network(network.layers(), network.loss().with(ClassBalance.EVEN));
  }

  static boolean fits(Layout layout, Task task) {
    try {
      check(layout, task);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Adds the number of classes to a name that stands alone. Where the data have a number to
   * predict, {@link #check} refuses such a network.
   */
  private static String withClasses(String text, Task task) {
    var name = CLASSIFIER.matcher(text.strip());
    if (!name.matches()) {
      return text;
    }
    int classes = Math.max(2, task.outputs());
    return name.group(1) != null
        ? name.group(1) + "(classes=" + classes + ")"
        : name.group(2) + ",classes=" + classes + ")";
  }

  /** Refuses a network whose outputs or loss do not fit what is to be predicted. */
  static void check(Layout layout, Task task) {
    Loss loss = layout.network().loss();
    int outputs = layout.outputs();
    task.match(
        several -> {
          int classes = several.names().size();
          Check.that(
              outputs == classes || classes == 2 && outputs == 1 && loss instanceof Loss.Logistic,
              "outputs of the model",
              "as many as the data have classes, " + classes,
              outputs);
          return several;
        },
        number -> {
          Check.that(
              outputs == 1 && !(loss instanceof Loss.SoftmaxCrossEntropy),
              "model",
              "of one output and loss=squared or loss=huber(T), for the data have a number to"
                  + " predict",
              layout.network());
          return number;
        });
  }
}
