package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.format;

import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/**
 * Test accuracy of both methods around a baseline: over clipping thresholds, weight decays and
 * noise multipliers, one changed at a time.
 */
abstract class DecaySweep extends Study {

  /** Where λθ comes in. */
  enum Method {
    AFTER("DP-SGD"),
    BEFORE("before clipping");

    final String label;

    Method(String label) {
      this.label = label;
    }

    WeightDecay decay(double rate) {
      return this == BEFORE
          ? new WeightDecay.BeforeClipping(rate, false)
          : new WeightDecay.Decoupled(rate, false);
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
      return format("R = %s, λ = %s, σ = %s", clip, decay, noise);
    }
  }

  /**
   * What a run is like apart from the setting.
   *
   * @param cosine whether the rate falls to 0
   * @param momentum 0 for none
   * @param examples of the training set
   */
  record Basis(
      String data,
      String network,
      double lot,
      double rate,
      boolean cosine,
      double momentum,
      int examples) {
    long steps(Setting setting) {
      return Math.round(setting.epochs() * examples / lot);
    }

    /** By how much λ shrinks θ over a run, about: λ·Ση/(1 − momentum). */
    double decay(Setting setting) {
      return setting.decay() * rate * (cosine ? 0.5 : 1) * steps(setting) / (1 - momentum);
    }

    Recipe recipe(Setting setting, Method method) {
      String decay = method == Method.BEFORE ? "before-clipping" : "decoupled";
      return Recipes.of(
          data,
          network,
          "lot-size=%s epochs=%s clip=%s noise-multiplier=%s delta=1e-5 learning-rate=%s%s%s%s",
          lot,
          setting.epochs,
          setting.clip,
          setting.noise,
          rate,
          cosine ? " schedule=cosine" : "",
          momentum > 0 ? format(" optimizer=momentum momentum=%s", momentum) : "",
          setting.decay == 0 || after(method)
              ? ""
              : format(" weight-decay=%s weight-decay-mode=%s", setting.decay, decay));
    }

    /** Whether the decay is PyTorch's, which momentum tells from a run file's. */
    private boolean after(Method method) {
      return method == Method.AFTER && momentum > 0;
    }

    Training training(Setting setting, Method method, long seed) {
      Training training = Training.of(recipe(setting, method), seed);
      if (after(method)) {
        training = training.varied(new AfterNoise(setting.decay));
      }
      // A quick run needs no more rows to test on.
      return setting.epochs < 1 ? training.tested(500) : training;
    }
  }

  /** A figure: its settings, and what is on its x axis. */
  record Sweep(String name, String symbol, List<Double> values, DoubleFunction<Setting> setting) {
    List<Setting> settings() {
      return values.stream().map(setting::apply).toList();
    }
  }

  final Basis basis;
  final Setting base;

  /** The middle of the sweeps, whose seeds tell how far one run is from the next. */
  final Setting middle;

  final List<Sweep> sweeps;

  /** By setting and method: a page asks for each many times. */
  private final Map<List<Object>, List<Trial>> made = new HashMap<>();

  /**
   * @param values of R, of λ and of σ
   */
  DecaySweep(Setup setup, Basis basis, Setting base, Setting middle, List<List<Double>> values) {
    super(setup);
    this.basis = basis;
    this.base = base;
    this.middle = middle;
    this.sweeps =
        List.of(
            new Sweep("clipping threshold", "R", values.get(0), middle::clip),
            new Sweep("weight decay", "λ", values.get(1), middle::decay),
            new Sweep("noise multiplier", "σ", values.get(2), middle::noise));
  }

  /** The baseline and those of the sweeps, each once. */
  final List<Setting> settings() {
    return Stream.concat(
            Stream.of(base), sweeps.stream().flatMap(sweep -> sweep.settings().stream()))
        .distinct()
        .toList();
  }

  /**
   * All trials in the order in which they are best run: the baseline, then the ends of every sweep
   * before its middle, so that a run that is cut short has the outline.
   */
  final List<Trial> inOrder() {
    Stream<Setting> swept = sweeps.stream().flatMap(sweep -> sweep.settings().stream());
    List<Setting> all = new ArrayList<>(List.of(base));
    all.addAll(swept.sorted(Comparator.comparing(setting -> !end(setting))).toList());
    return all.stream()
        .flatMap(each -> Stream.of(Method.values()).flatMap(how -> trials(each, how).stream()))
        .toList();
  }

  /** Whether a setting is the first or last of its sweep. */
  private boolean end(Setting setting) {
    return sweeps.stream()
        .map(Sweep::settings)
        .anyMatch(all -> all.get(0).equals(setting) || all.get(all.size() - 1).equals(setting));
  }

  /** Seeds for the baseline and the ends of each sweep; one elsewhere, and the page says so. */
  int seeds(Setting setting) {
    return setting.equals(base) || end(setting) ? 3 : 1;
  }

  final List<Trial> trials(Setting setting, Method method) {
    return made.computeIfAbsent(
        List.of(setting, method), key -> trials(basis, setting, method, seeds(setting)));
  }

  final List<Trial> trials(Basis on, Setting setting, Method method, int seeds) {
    return seeds(seeds, on.training(setting, method, 1)::withSeed);
  }
}
