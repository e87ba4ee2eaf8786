package dev.discreet.core.train;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.schedule.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Every setting of a run: what provenance keeps, and what a resumed run must share.
 *
 * <pre>{@code
 * Configuration configuration = result.provenance().configuration();
 * System.out.println(configuration.optimizer());
 * configuration.lines().forEach(line -> System.out.println(line.heading() + ": " + line.text()));
 * }</pre>
 *
 * @param network what was trained
 * @param input the shape of one example
 * @param optimizer how gradients moved the parameters
 * @param learningRate η at each step
 * @param rateFactors factors of the learning rate by the names of layers, in order of the names
 * @param weightDecay how parameters were pulled to zero
 * @param movingAverage the decay of the parameters' moving average; empty for no average
 * @param frozen names of the layers that kept their parameters
 * @param start what the parameters were before the first step
 * @param plan sampling, clipping, noise and steps, in numbers
 * @param clippingGroups the clipping group of each parameter tensor, in order of the layout; -1 for
 *     one that is frozen
 * @param noiseBeforeClipping the standard deviation of noise on each unit's gradient
 * @param augmentation the views that stood for an example in training
 * @param gradientTransform how gradients were changed after their release, in its own words
 * @param firstRelease what was released before the first step, in its own words
 * @param otherPeople whether it was declared that public rows are other people's than private ones
 * @param declared what else was declared and the promise rests on; empty for nothing
 */
@PublicApi
public record Configuration(
    Network network,
    Shape input,
    Optimizer optimizer,
    Schedule learningRate,
    Map<String, Double> rateFactors,
    WeightDecay weightDecay,
    OptionalDouble movingAverage,
    List<String> frozen,
    InitialParameters start,
    ResolvedPlan plan,
    List<Integer> clippingGroups,
    double noiseBeforeClipping,
    Augmentation augmentation,
    Optional<String> gradientTransform,
    Optional<String> firstRelease,
    boolean otherPeople,
    String declared) {

  /** Copies the lists and the map. */
  public Configuration {
    rateFactors = Collections.unmodifiableMap(new TreeMap<>(rateFactors));
    frozen = List.copyOf(frozen);
    clippingGroups = List.copyOf(clippingGroups);
  }

  static Configuration of(
      TrainingOptions options, Layout layout, ResolvedPlan plan, int[] group, String declared) {
    return new Configuration(
        layout.network(),
        layout.input(),
        options.optimizer(),
        options.learningRate().orElseThrow(),
        options.rateFactors(),
        options.weightDecay(),
        options.average(),
        options.frozen(),
        options.initialParameters(),
        plan,
        Arrays.stream(group).boxed().toList(),
        options.noiseBeforeClipping(),
        options.augmentation(),
        options.transform().map(Object::toString),
        options.first().map(Object::toString),
        options.otherPeople(),
        declared);
  }

  /**
   * One setting as files and pages show it.
   *
   * @param name the key in files
   * @param heading the name for people
   * @param text the value
   */
  public record Line(String name, String heading, String text) {}

  /**
   * The settings as text, in the order in which files and pages show them.
   *
   * @return one line for each setting
   */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    lines.add(line("network", network));
    lines.add(line("input", input));
    lines.add(record("optimizer", "optimizer", optimizer));
    lines.add(record("learningRate", "learning rate", text(learningRate)));
    lines.add(record("rateFactors", "rate factors", rateFactors));
    lines.add(record("weightDecay", "weight decay", weightDecay));
    lines.add(
        new Line(
            "movingAverage",
            "moving average",
            movingAverage.isPresent() ? Digits.shortest(movingAverage.getAsDouble()) : "none"));
    lines.add(line("frozen", frozen));
    lines.add(new Line("initialParameters", "initial parameters", start.text()));
    lines.add(line("steps", plan.steps()));
    lines.add(record("sampler", "sampler", plan.sampler()));
    lines.add(record("clipping", "clipping", plan.clipping()));
    lines.add(new Line("clippingGroups", "clipping groups", clippingGroups.toString()));
    List<String> thresholds = plan.thresholds().stream().map(Configuration::text).toList();
    lines.add(record("thresholds", "thresholds", thresholds));
    lines.add(record("adaptiveClipping", "adaptive clipping", orNone(plan.adaptive())));
    lines.add(
        new Line(
            "noiseBeforeClipping", "noise before clipping", Digits.shortest(noiseBeforeClipping)));
    if (augmentation.hasViews()) {
      lines.add(
          new Line(
              "augmentation",
              "augmentation",
              augmentation.views() + " views of each example by " + augmentation));
    }
    lines.add(
        new Line("gradientTransform", "gradient transform", gradientTransform.orElse("none")));
    firstRelease.ifPresent(text -> lines.add(new Line("firstRelease", "first release", text)));
    if (otherPeople) {
      lines.add(
          new Line(
              "publicRows", "public rows", "declared to be other people's than the private ones"));
    }
    lines.add(record("noiseMultiplier", "noise multiplier", text(plan.noise())));
    plan.overTime()
        .ifPresent(shared -> lines.add(line("noiseOverTime", "noise over time", shared)));
    lines.add(record("noiseShares", "noise shares", plan.noiseShares()));
    lines.add(line("neighbouring", plan.neighbouring().label()));
    lines.add(line("unit", plan.unit()));
    lines.add(new Line("microBatches", "micro batches", orNone(plan.microBatches())));
    lines.add(record("besides", "besides", plan.besides()));
    lines.add(record("target", "target", orNone(plan.target())));
    if (!declared.isEmpty()) {
      lines.add(line("declared", declared));
    }
    return List.copyOf(lines);
  }

  /**
   * The texts of {@link #lines} by name, as {@code run.json} has them.
   *
   * @return the texts, in order
   */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    lines().forEach(line -> texts.put(line.name(), line.text()));
    return Collections.unmodifiableMap(texts);
  }

  private static Line line(String name, Object value) {
    return line(name, name, value);
  }

  private static Line line(String name, String heading, Object value) {
    return new Line(name, heading, value.toString());
  }

  /** A line whose numbers are written the same on every Java: the run may be resumed on another. */
  private static Line record(String name, String heading, Object value) {
    return new Line(name, heading, Digits.numbersIn(value));
  }

  private static String orNone(Optional<?> value) {
    return value.map(Object::toString).orElse("none");
  }

  private static String text(Schedule schedule) {
    return schedule instanceof Schedule.Constant constant
        ? Digits.shortest(constant.value())
        : schedule.toString();
  }
}
