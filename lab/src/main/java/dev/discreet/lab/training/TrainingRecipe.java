package dev.discreet.lab.training;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Numbers;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.DoubleConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a training is, in the words of run files; each is also a run file of its own.
 *
 * @param settings in the order of a run file
 */
public record TrainingRecipe(Map<String, String> settings) {
  private static final Pattern LINEAR = Pattern.compile("linear\\((.*),(.*)\\)");

  public TrainingRecipe {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Plain SGD without averaging, from PyTorch's start; the rest is to be said. */
  public static TrainingRecipe of(String data, String model) {
    return new TrainingRecipe(Map.of())
        .with("data", data)
        .with("model", model)
        .with("optimizer", "sgd")
        .with("ema", 0);
  }

  /** The same with another setting, or with another value of it. */
  public TrainingRecipe with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put(name, Numbers.format("%s", value));
    return new TrainingRecipe(more);
  }

  /** Pixels in [0, 1], as documents 001 and 004 have them. */
  public TrainingRecipe unitPixels() {
    return with("mean", 0).with("deviation", 1);
  }

  /** As much noise as that takes, or none of an infinite ε. */
  public TrainingRecipe epsilon(double epsilon, double delta) {
    return Double.isInfinite(epsilon)
        ? with("non-private", true)
        : with("epsilon", epsilon).with("delta", delta);
  }

  public boolean has(String name) {
    return settings.containsKey(name);
  }

  public String text(String name) {
    Check.that(has(name), "setting", "one of " + settings.keySet(), name);
    return settings.get(name);
  }

  public double number(String name) {
    return Double.parseDouble(text(name));
  }

  /** As {@code discreet train} reads it. */
  public String yaml() {
    return settings.entrySet().stream()
        .map(each -> each.getKey() + ": " + quoted(each.getValue()) + "\n")
        .collect(Collectors.joining());
  }

  private static String quoted(String value) {
    return value.contains(" ") ? "\"" + value + "\"" : value;
  }

  private void ifSet(String name, DoubleConsumer use) {
    if (has(name)) {
      use.accept(number(name));
    }
  }

  /** Of a whole run on so many units. */
  long steps(int units) {
    return has("steps")
        ? (long) number("steps")
        : Math.max(1, Math.round(number("epochs") * units / lot(units)));
  }

  double lot(int units) {
    return has("lot-size") ? number("lot-size") : units * number("sampling-rate");
  }

  /** Its steps, and what is released before them. */
  public PrivacyPlan plan() {
    PrivacyPlan.Builder plan =
        has("non-private")
            ? PrivacyPlan.nonPrivate()
            : has("epsilon")
                ? PrivacyPlan.target(number("epsilon"), number("delta"))
                : PrivacyPlan.noise(number("noise-multiplier"));
    ifSet("lot-size", plan::lotSize);
    ifSet("sampling-rate", plan::samplingRate);
    ifSet("epochs", plan::epochs);
    ifSet("steps", steps -> plan.steps((long) steps));
    ifSet("clip", plan::clip);
    ifSet("norm-projections", r -> plan.estimatedNorms((int) r));
    ifSet("pca-noise", noise -> plan.besides(new Gaussian(noise)));
    if (has("clip-per-layer")) {
      String[] each = text("clip-per-layer").split(",");
      plan.clipGroups(Arrays.stream(each).mapToDouble(Double::parseDouble).toArray());
    }
    if (has("sampler")) {
      plan.neighbouring(Neighbouring.of(text("neighbouring")));
      plan.sampling(PrivacyPlan.Sampling.SHUFFLED_EPOCHS);
    }
    return plan.build();
  }

  private Optimizer optimizer(long seed) {
    return switch (settings.getOrDefault("optimizer", "sgd")) {
      case "momentum" -> new Optimizer.Momentum(number("momentum"));
      case "adam" -> new Optimizer.Adam();
      case "langevin" -> new Optimizer.Langevin(number("temperature"), seed);
      default -> new Optimizer.Sgd();
    };
  }

  private Schedule rate(int units) {
    double rate = number("learning-rate");
    Matcher linear = LINEAR.matcher(settings.getOrDefault("schedule", ""));
    if (linear.matches()) {
      double end = rate * Double.parseDouble(linear.group(1));
      return Schedule.linear(rate, end, Long.parseLong(linear.group(2)));
    }
    return has("schedule") ? Schedule.cosine(rate, 0, steps(units)) : Schedule.constant(rate);
  }

  /**
   * @param units that it is to be trained on
   * @param seed of start, lots and noise
   */
  public Trainer trainer(DataSet data, int units, long seed) {
    OptionalInt classes =
        data.task() instanceof Task.Classes several
            ? OptionalInt.of(several.names().size())
            : OptionalInt.empty();
    Network network =
        classes.isPresent()
            ? Network.named(text("model"), classes.getAsInt())
            : Network.named(text("model"));
    Trainer trainer =
        (has("non-private") ? Trainer.nonPrivate(network, plan()) : Trainer.of(network, plan()))
            .learningRate(rate(units))
            .optimizer(optimizer(seed))
            .initialiser(
                Initialiser.named(settings.getOrDefault("initialiser", "pytorch-uniform")), seed)
            .insecureSeed(seed);
    if (number("ema") > 0) {
      trainer = trainer.ema(number("ema"));
    }
    if (has("evaluate-every")) {
      trainer = trainer.evaluateEvery((long) number("evaluate-every"));
    }
    if (has("noise-before-clipping")) {
      trainer = trainer.noiseBeforeClipping(number("noise-before-clipping"));
    }
    if (has("weight-decay")) {
      double decay = number("weight-decay");
      trainer =
          trainer.weightDecay(
              text("weight-decay-mode").equals("decoupled")
                  ? new WeightDecay.Decoupled(decay, false)
                  : new WeightDecay.BeforeClipping(decay, false));
    }
    return trainer;
  }
}
