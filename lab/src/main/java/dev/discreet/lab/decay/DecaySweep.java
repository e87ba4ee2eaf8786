package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Verdict;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Test accuracy of both methods around a baseline: over clipping thresholds, weight decays and
 * noise multipliers, one changed at a time; and what the pages of both image sets have in common.
 */
abstract class DecaySweep extends Study {
  /** Where the published curves over λ may come from. */
  static final String OPACUS =
      "The document runs its method \"by adjusting the loss function and the SGD optimizer\" of Opacus'"
          + " example. Opacus takes per-example gradients by hooks on layers, and drops a penalty on"
          + " parameters that is added to the loss without a word (its issues 249 and 259, both open):"
          + " if the decay was in the loss alone, the document's runs had none before clipping.";

  /** The least decay over a run that can matter. */
  private static final double VISIBLE = 0.02;

  private static final double CHANCE = 12;

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

  /** Accuracies nearer to each other than this many points are called alike. */
  private final double margin;

  /** Whether lot and rate were chosen to come near the published baseline. */
  private final boolean fitted;

  /**
   * @param values of R, of λ and of σ
   */
  DecaySweep(
      Setup setup,
      Basis basis,
      Setting base,
      Setting middle,
      List<List<Double>> values,
      double margin,
      boolean fitted) {
    super(setup);
    this.basis = basis;
    this.base = base;
    this.middle = middle;
    this.margin = margin;
    this.fitted = fitted;
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

  /** What the document has for a setting and method; NaN where it has no number. */
  abstract double published(Setting setting, Method method);

  /**
   * Rows, figures and verdicts that both image sets have.
   *
   * @param largeDecay from where on DP-SGD's accuracy is to fall
   */
  final void common(double largeDecay) {
    outcomes.of(inOrder());
    rows("baseline: " + base.text(), base);
    curves();
    verdict("Baseline, alike within %s: %s.", points(margin), contrast(base).alike(margin));
    sizes();
    if (!middle.equals(base)) {
      rows("middle of the sweeps: " + middle.text(), middle);
    }
    for (Sweep sweep : sweeps) {
      Picture picture =
          picture(
              sweep.name(),
              name() + ": test accuracy over " + sweep.name() + length(middle),
              sweep.symbol(),
              "test accuracy, %");
      for (Method method : Method.values()) {
        picture.means(
            method.label,
            false,
            sweep.values(),
            value -> value,
            value -> sample(sweep.setting().apply(value), method));
      }
      for (double value : sweep.values()) {
        Setting setting = sweep.setting().apply(value);
        if (!setting.equals(middle)) {
          rows(sweep.symbol() + " = " + show(value), setting);
        }
      }
      picture.caption(
          "Test accuracy over %s %s, the rest as in the baseline%s.",
          sweep.name(), sweep.symbol(), length(middle));
    }
    claims(largeDecay);
    costs();
  }

  /** Said wherever a run is not as long as the baseline. */
  private String length(Setting setting) {
    return setting.epochs() == base.epochs() ? "" : ", " + show(setting.epochs()) + " epochs";
  }

  private void rows(String text, Setting setting) {
    for (Method method : Method.values()) {
      row(
          text + length(setting),
          method.label,
          published(setting, method),
          sample(setting, method));
    }
  }

  /** Ours against those numbers that the document has. */
  private void sizes() {
    List<String> sizes = new ArrayList<>();
    for (Setting setting : settings()) {
      for (Method method : Method.values()) {
        Sample ours = sample(setting, method);
        double published = published(setting, method);
        // A baseline that was looked for says nothing.
        boolean looked = fitted && setting.equals(base);
        if (!Double.isNaN(published) && ours.size() > 0 && !looked) {
          sizes.add(format("%s, %s %+.2f", setting.text(), method.label, ours.mean() - published));
        }
      }
    }
    verdict(
        (fitted
                ? "Same size? The baseline's lot and rate were looked for to make it so (see below)."
                : "Same size?")
            + (sizes.isEmpty()
                ? ""
                : " Ours minus published, in points: " + String.join("; ", sizes) + "."));
  }

  private void costs() {
    PageTable table =
        table("What a run costs at δ = 1e-5, by pld; neither R nor λ changes it", "σ | epochs | ε");
    settings().stream()
        .map(setting -> base.noise(setting.noise()).epochs(setting.epochs()))
        .distinct()
        .forEach(
            setting ->
                table.row(
                    setting.noise(),
                    setting.epochs(),
                    outcomes.text(trials(setting, Method.AFTER), "epsilon", "%.3f")));
  }

  private void curves() {
    Picture picture = accuracies("baseline", name() + ": baseline");
    for (Method method : Method.values()) {
      List<Double> curve = meanCurve(trials(base, method), "accuracy");
      picture.looks(method.label, false, base.epochs(), curve);
    }
    picture.caption("Test accuracy of the baseline after each epoch, mean over seeds.");
  }

  Sample sample(Setting setting, Method method) {
    return accuracy(trials(setting, method));
  }

  /** Before clipping minus DP-SGD. */
  private Contrast contrast(Setting setting) {
    return contrast(trials(setting, Method.BEFORE), trials(setting, Method.AFTER), setting);
  }

  /** Runs of a seed have the same start, lots and noise: their differences, seed by seed. */
  private Contrast contrast(List<Trial> first, List<Trial> second, Setting setting) {
    Contrast paired = paired(first, second);
    return Double.isNaN(paired.radius()) ? single(first.get(0), second.get(0), setting) : paired;
  }

  /**
   * Of a single seed: one run is thought to be as far from the next as at that setting of its sweep
   * with several seeds where that is farthest. How far pairs are depends on the setting too much.
   */
  private Contrast single(Trial one, Trial other, Setting setting) {
    Sample first = accuracy(List.of(one));
    Sample second = accuracy(List.of(other));
    return Stream.concat(
            Stream.of(middle),
            sweeps.stream()
                .map(Sweep::settings)
                .filter(sweep -> sweep.contains(setting))
                .flatMap(List::stream))
        .map(
            several ->
                Contrast.of(
                    first,
                    second,
                    List.of(sample(several, Method.BEFORE), sample(several, Method.AFTER))))
        .max(Comparator.comparingDouble(c -> Double.isNaN(c.radius()) ? -1 : c.radius()))
        .orElseThrow();
  }

  /** The document's claims about its three sweeps. */
  private void claims(double largeDecay) {
    better(sweeps.get(0));
    better(sweeps.get(1));
    // In a shorter run as much decay is that of a larger λ.
    double least = basis.decay(base.decay(largeDecay));
    List<Double> large =
        sweeps.get(1).values().stream()
            .filter(decay -> basis.decay(middle.decay(decay)) >= least * (1 - 1e-9))
            .toList();
    for (Method method : Method.values()) {
      holds(method, large);
    }
    alike(sweeps.get(2));
  }

  /** That the methods are alike all along a sweep. */
  private void alike(Sweep sweep) {
    along(
        sweep,
        "Alike",
        format("Alike within %s", points(margin)),
        sweep.values().stream().filter(value -> !sweep.setting().apply(value).equals(base)),
        contrast -> contrast.alike(margin));
  }

  /** That before clipping is better all along a sweep. */
  private void better(Sweep sweep) {
    String claim = "Before clipping better";
    along(sweep, claim, claim, sweep.values().stream(), c -> c.verdict(Order.ABOVE));
  }

  /** A claim where there is decay to be seen, and the differences where there is not. */
  private void along(
      Sweep sweep,
      String claim,
      String precisely,
      Stream<Double> values,
      Function<Contrast, Verdict> judged) {
    List<Verdict> seen = new ArrayList<>();
    List<Verdict> unseen = new ArrayList<>();
    values.forEach(
        value -> {
          Setting setting = sweep.setting().apply(value);
          Contrast contrast = contrast(setting);
          String where = sweep.symbol() + " = " + show(value) + " ";
          if (basis.decay(setting) < VISIBLE) {
            unseen.add(Verdict.of("%s%s", where, contrast.text()));
          } else {
            seen.add(Verdict.of("%s%s", where, chance(setting).orElse(judged.apply(contrast))));
          }
        });
    String over = " over " + sweep.symbol() + length(middle);
    verdicts(precisely + over, seen);
    verdicts(
        format(
            "%s%s: nothing to be seen where λ shrinks θ by less than %.0f%% over a whole run. The"
                + " differences there",
            claim, over, 100 * VISIBLE),
        unseen);
  }

  /** Of ten classes; runs that ended there are all alike, and say nothing about a method. */
  private Optional<Verdict> chance(Setting setting) {
    Sample before = sample(setting, Method.BEFORE);
    Sample after = sample(setting, Method.AFTER);
    return before.mean() < CHANCE && after.mean() < CHANCE
        ? Optional.of(Verdict.of("both at chance, %s and %s", before.text(2), after.text(2)))
        : Optional.empty();
  }

  /** Two claims about a large λ: one method keeps its accuracy, the other loses it. */
  private void holds(Method method, List<Double> decays) {
    List<Verdict> cases = new ArrayList<>();
    for (double decay : decays) {
      Setting setting = middle.decay(decay);
      Contrast loss = contrast(trials(setting, method), trials(middle, method), setting);
      cases.add(
          Verdict.of(
              "λ = %s %s",
              decay, method == Method.BEFORE ? loss.notBelow(margin) : loss.verdict(Order.BELOW)));
    }
    verdicts(
        format(
            "Large λ%s, %s against its own λ = %s %s",
            length(middle),
            method.label,
            show(middle.decay()),
            method == Method.BEFORE ? "holds within " + points(margin) : "loses accuracy"),
        cases);
  }

  private String points(double number) {
    return show(number) + (number == 1 ? " point" : " points");
  }
}
