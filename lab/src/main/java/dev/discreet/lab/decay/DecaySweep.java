package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Test accuracy of both methods around a baseline: over clipping thresholds, weight decays and
 * noise multipliers, one changed at a time.
 */
abstract class DecaySweep implements Experiment {

  /** Where λθ comes in. */
  enum Method {
    AFTER("DP-SGD"),
    BEFORE("before clipping");

    final String label;

    Method(String label) {
      this.label = label;
    }
  }

  /**
   * One setting. R, λ and σ as the document calls them.
   *
   * @param epochs reduced where the page says so
   */
  record Setting(double clip, double decay, double noise, double epochs) {
    Setting clip(double value) {
      return new Setting(value, decay, noise, epochs);
    }

    Setting decay(double value) {
      return new Setting(clip, value, noise, epochs);
    }

    Setting noise(double value) {
      return new Setting(clip, decay, value, epochs);
    }

    Setting epochs(double value) {
      return new Setting(clip, decay, noise, value);
    }

    String text() {
      return "R = " + show(clip) + ", λ = " + show(decay) + ", σ = " + show(noise);
    }
  }

  /**
   * What a run is like apart from the setting.
   *
   * @param cosine whether the rate falls to 0
   * @param momentum 0 for none
   * @param saveEvery steps between checkpoints
   * @param examples of the training set
   */
  record Recipe(
      String data,
      String network,
      double lot,
      double rate,
      boolean cosine,
      double momentum,
      long saveEvery,
      int examples) {
    long steps(Setting setting) {
      return Math.round(setting.epochs() * examples / lot);
    }

    /** By how much λ shrinks θ over a run, about: λ·Ση/(1 − momentum). */
    double decay(Setting setting) {
      return setting.decay() * rate * (cosine ? 0.5 : 1) * steps(setting) / (1 - momentum);
    }

    String text() {
      return data
          + ", "
          + network
          + ", lot "
          + show(lot)
          + ", rate "
          + show(rate)
          + (cosine ? " cosine" : "")
          + (momentum > 0 ? ", momentum " + show(momentum) : "");
    }
  }

  /** One line of figure: which settings, and what is on the x axis. */
  record Sweep(String name, String symbol, List<Double> values, DoubleFunction<Setting> setting) {}

  private static final int ALL = Integer.MAX_VALUE;

  abstract Recipe recipe(Effort effort);

  abstract Setting baseline(Effort effort);

  abstract List<Sweep> sweeps(Effort effort);

  /** Accuracies nearer to each other than this many points are called alike. */
  abstract double margin();

  /** Whether the recipe was chosen to come near the published baseline. */
  boolean fitted() {
    return false;
  }

  /** The setting whose seeds tell how far one run is from the next, for settings with one. */
  Setting repeated(Effort effort) {
    return baseline(effort);
  }

  /** The baseline and those of the sweeps, each once. */
  List<Setting> settings(Effort effort) {
    return Stream.concat(
            Stream.of(baseline(effort)),
            sweeps(effort).stream()
                .flatMap(sweep -> sweep.values().stream().map(sweep.setting()::apply)))
        .distinct()
        .toList();
  }

  /** What the document has for a setting and method, where it has a number. */
  abstract OptionalDouble published(Setting setting, Method method, Effort effort);

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Method method : Method.values()) {
      all.addAll(trials(baseline(effort), method, effort));
    }
    // The ends of every sweep before its middle: a run that is cut short has the outline.
    for (boolean ends : new boolean[] {true, false}) {
      for (Sweep sweep : sweeps(effort)) {
        for (double value : sweep.values()) {
          Setting setting = sweep.setting().apply(value);
          if (end(setting, effort) == ends) {
            for (Method method : Method.values()) {
              all.addAll(trials(setting, method, effort));
            }
          }
        }
      }
    }
    return all;
  }

  /** Whether a setting is the first or last of its sweep. */
  private boolean end(Setting setting, Effort effort) {
    return sweeps(effort).stream()
        .anyMatch(
            sweep ->
                sweep.setting().apply(sweep.values().get(0)).equals(setting)
                    || sweep
                        .setting()
                        .apply(sweep.values().get(sweep.values().size() - 1))
                        .equals(setting));
  }

  /** Seeds for the baseline and the ends of each sweep; one elsewhere, and the page says so. */
  int seeds(Setting setting, Effort effort) {
    return setting.equals(baseline(effort)) || end(setting, effort) ? 3 : 1;
  }

  List<Trial> trials(Setting setting, Method method, Effort effort) {
    return trials(recipe(effort), setting, method, effort.seeds(seeds(setting, effort)));
  }

  List<Trial> trials(Recipe recipe, Setting setting, Method method, IntStream seeds) {
    return seeds
        .mapToObj(
            seed ->
                new Trial(
                    recipe.text()
                        + ", "
                        + setting.text()
                        + ", epochs = "
                        + show(setting.epochs())
                        + (tested(setting) < ALL ? ", tested on " + tested(setting) : "")
                        + ", "
                        + method.label
                        + ", seed "
                        + seed,
                    workshop -> run(workshop, recipe, setting, method, seed)))
        .toList();
  }

  /** A taste needs no more. */
  private static int tested(Setting setting) {
    return setting.epochs() < 1 ? 500 : ALL;
  }

  private static Outcome run(
      Workshop workshop, Recipe recipe, Setting setting, Method method, long seed)
      throws IOException {
    DataSet data = workshop.data(recipe.data());
    Examples train = data.train().examples();
    PrivacyPlan plan =
        PrivacyPlan.noise(setting.noise())
            .lotSize(recipe.lot())
            .epochs(setting.epochs())
            .clip(setting.clip())
            .build();
    Trainer trainer =
        Trainer.of(Network.named(recipe.network()), plan)
            .learningRate(
                recipe.cosine()
                    ? Schedule.cosine(recipe.rate(), 0, recipe.steps(setting))
                    : Schedule.constant(recipe.rate()))
            .optimizer(
                recipe.momentum() > 0
                    ? new Optimizer.Momentum(recipe.momentum())
                    : new Optimizer.Sgd())
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .insecureSeed(seed);
    trainer =
        method == Method.BEFORE
            ? trainer.weightDecay(new WeightDecay.BeforeClipping(setting.decay(), false))
            : recipe.momentum() > 0
                ? trainer.transform(new AfterNoise(setting.decay(), train.input()))
                : trainer.weightDecay(new WeightDecay.Decoupled(setting.decay(), false));
    TestSet test =
        TestSet.declaredPublic(
            RandomSubset.some(data.test().orElseThrow().examples(), tested(setting)));
    return Workshop.outcome(workshop.trainInParts(trainer, recipe.saveEvery(), train, test));
  }
}
