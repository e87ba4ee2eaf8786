package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the pages of document 000's sweeps on images have in common. */
abstract class DecayPage extends DecaySweep {
  /** Where the published curves over λ may come from. */
  static final String OPACUS =
      "The document runs its method \"by adjusting the loss function and the SGD optimizer\" of Opacus'"
          + " example. Opacus takes per-example gradients by hooks on layers, and drops a penalty on"
          + " parameters that is added to the loss without a word (its issues 249 and 259, both open):"
          + " if the decay was in the loss alone, the document's runs had none before clipping.";

  /** The least decay over a run that can matter. */
  private static final double VISIBLE = 0.02;

  private static final double CHANCE = 12;

  /** Accuracies nearer to each other than this many points are called alike. */
  private final double margin;

  /** Whether lot and rate were chosen to come near the published baseline. */
  private final boolean fitted;

  DecayPage(
      Setup setup,
      Basis basis,
      Setting base,
      Setting middle,
      List<List<Double>> values,
      double margin,
      boolean fitted) {
    super(setup, basis, base, middle, values);
    this.margin = margin;
    this.fitted = fitted;
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
      Function<Contrast, String> judged) {
    List<String> seen = new ArrayList<>();
    List<String> unseen = new ArrayList<>();
    values.forEach(
        value -> {
          Setting setting = sweep.setting().apply(value);
          Contrast contrast = contrast(setting);
          String where = sweep.symbol() + " = " + show(value) + " ";
          if (basis.decay(setting) < VISIBLE) {
            unseen.add(where + contrast.text());
          } else {
            seen.add(where + chance(setting).orElse(judged.apply(contrast)));
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
  private Optional<String> chance(Setting setting) {
    Sample before = sample(setting, Method.BEFORE);
    Sample after = sample(setting, Method.AFTER);
    return before.mean() < CHANCE && after.mean() < CHANCE
        ? Optional.of("both at chance, " + before.text(2) + " and " + after.text(2))
        : Optional.empty();
  }

  /** Two claims about a large λ: one method keeps its accuracy, the other loses it. */
  private void holds(Method method, List<Double> decays) {
    List<String> cases = new ArrayList<>();
    for (double decay : decays) {
      Setting setting = middle.decay(decay);
      Contrast loss = contrast(trials(setting, method), trials(middle, method), setting);
      cases.add(
          format(
              "λ = %s %s",
              show(decay),
              method == Method.BEFORE ? loss.notBelow(margin) : loss.verdict(Order.BELOW)));
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
