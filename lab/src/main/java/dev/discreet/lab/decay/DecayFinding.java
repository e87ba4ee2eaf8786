package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.decay.DecaySweep.Method;
import dev.discreet.lab.decay.DecaySweep.Recipe;
import dev.discreet.lab.decay.DecaySweep.Setting;
import dev.discreet.lab.decay.DecaySweep.Sweep;
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What the sweeps of document 000 on images come to. */
final class DecayFinding {
  /** Where the published curves over λ may come from. */
  static final String OPACUS =
      "The document runs its method \"by adjusting the loss function and the SGD optimizer\" of Opacus'"
          + " example. Opacus takes per-example gradients by hooks on layers, and drops a penalty on"
          + " parameters that is added to the loss without a word (its issues 249 and 259, both open):"
          + " if the decay was in the loss alone, the document's runs had none before clipping.";

  /** The least decay over a run that can matter. */
  private static final double VISIBLE = 0.02;

  private static final double CHANCE = 12;

  private final DecaySweep experiment;
  private final Effort effort;
  private final Outcomes outcomes;
  private final Finding.Builder finding;
  private final Recipe recipe;
  private final Setting base;
  private final Setting middle;
  private final List<Sweep> sweeps;
  private final double margin;

  DecayFinding(DecaySweep experiment, Effort effort, Outcomes outcomes, Finding.Builder finding) {
    this.experiment = experiment;
    this.effort = effort;
    this.outcomes = outcomes;
    this.finding = finding;
    this.recipe = experiment.recipe(effort);
    this.base = experiment.baseline(effort);
    this.middle = experiment.repeated(effort);
    this.sweeps = experiment.sweeps(effort);
    this.margin = experiment.margin();
  }

  /**
   * Rows, figures and verdicts that both image sets have.
   *
   * @param largeDecay from where on DP-SGD's accuracy is to fall
   */
  void write(double largeDecay) throws IOException {
    rows("baseline: " + base.text(), base);
    curves();
    finding.verdict(
        format("Baseline, alike within %s: %s.", points(margin), contrast(base).alike(margin)));
    sizes();
    if (!middle.equals(base)) {
      rows("middle of the sweeps: " + middle.text(), middle);
    }
    for (Sweep sweep : sweeps) {
      Picture picture =
          new Picture(
              experiment.name() + "-" + sweep.name().replace(' ', '-'),
              experiment.name() + ": test accuracy over " + sweep.name() + length(middle),
              sweep.symbol(),
              "test accuracy, %");
      for (Method method : Method.values()) {
        List<Point> points = new ArrayList<>();
        for (double value : sweep.values()) {
          Sample sample = sample(sweep.setting().apply(value), method);
          if (sample.size() > 0) {
            points.add(new Point(value, sample.mean()));
          }
        }
        picture.line(method.label, false, points);
      }
      for (double value : sweep.values()) {
        Setting setting = sweep.setting().apply(value);
        if (!setting.equals(middle)) {
          rows(sweep.symbol() + " = " + show(value), setting);
        }
      }
      picture.into(
          finding,
          "Test accuracy over "
              + sweep.name()
              + " "
              + sweep.symbol()
              + ", the rest as in the baseline"
              + length(middle)
              + ".");
    }
    claims(largeDecay);
    finding.table(costs());
  }

  /** Said wherever a run is not as long as the baseline. */
  private String length(Setting setting) {
    return setting.epochs() == base.epochs() ? "" : ", " + show(setting.epochs()) + " epochs";
  }

  private void rows(String text, Setting setting) {
    for (Method method : Method.values()) {
      finding.row(
          new Row(
              text + length(setting),
              method.label,
              experiment.published(setting, method, effort),
              sample(setting, method),
              2));
    }
  }

  /** Ours against those numbers that the document has. */
  private void sizes() {
    List<String> sizes = new ArrayList<>();
    for (Setting setting : experiment.settings(effort)) {
      for (Method method : Method.values()) {
        Sample ours = sample(setting, method);
        OptionalDouble published = experiment.published(setting, method, effort);
        // A baseline that was looked for says nothing.
        boolean looked = experiment.fitted() && setting.equals(base);
        if (published.isPresent() && ours.size() > 0 && !looked) {
          sizes.add(
              format(
                  "%s, %s %+.2f",
                  setting.text(), method.label, ours.mean() - published.getAsDouble()));
        }
      }
    }
    finding.verdict(
        (experiment.fitted()
                ? "Same size? The baseline's lot and rate were looked for to make it so (see below)."
                : "Same size?")
            + (sizes.isEmpty()
                ? ""
                : " Ours minus published, in points: " + String.join("; ", sizes) + "."));
  }

  private Table costs() {
    return new Table(
        "What a run costs at δ = 1e-5, by pld; neither R nor λ changes it",
        List.of("σ", "epochs", "ε"),
        experiment.settings(effort).stream()
            .map(setting -> base.noise(setting.noise()).epochs(setting.epochs()))
            .distinct()
            .map(setting -> List.of(show(setting.noise()), show(setting.epochs()), cost(setting)))
            .toList());
  }

  private String cost(Setting setting) {
    Sample epsilon = outcomes.sample(experiment.trials(setting, Method.AFTER, effort), "epsilon");
    return epsilon.size() == 0 ? "—" : format("%.3f", epsilon.mean());
  }

  private void curves() throws IOException {
    Picture picture =
        new Picture(
                experiment.name() + "-baseline",
                experiment.name() + ": baseline",
                "epoch",
                "test accuracy, %")
            .even();
    for (Method method : Method.values()) {
      List<Double> curve = outcomes.meanCurve(experiment.trials(base, method, effort), "accuracy");
      picture.looks(method.label, false, base.epochs(), curve);
    }
    picture.into(finding, "Test accuracy of the baseline after each epoch, mean over seeds.");
  }

  Sample sample(Setting setting, Method method) {
    return outcomes.sample(experiment.trials(setting, method, effort), "accuracy");
  }

  /** Before clipping minus DP-SGD. */
  private Contrast contrast(Setting setting) {
    return contrast(
        experiment.trials(setting, Method.BEFORE, effort),
        experiment.trials(setting, Method.AFTER, effort),
        setting);
  }

  /** Runs of a seed have the same start, lots and noise: their differences, seed by seed. */
  private Contrast contrast(List<Trial> first, List<Trial> second, Setting setting) {
    Contrast paired = outcomes.paired(first, second, "accuracy");
    return Double.isNaN(paired.radius()) ? single(first.get(0), second.get(0), setting) : paired;
  }

  /**
   * Of a single seed: one run is thought to be as far from the next as at that setting of its sweep
   * with several seeds where that is farthest. How far pairs are depends on the setting too much.
   */
  private Contrast single(Trial one, Trial other, Setting setting) {
    Sample first = outcomes.sample(List.of(one), "accuracy");
    Sample second = outcomes.sample(List.of(other), "accuracy");
    return Stream.concat(
            Stream.of(middle),
            sweeps.stream()
                .map(sweep -> sweep.values().stream().map(sweep.setting()::apply).toList())
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
    double least = recipe.decay(base.decay(largeDecay));
    List<Double> large =
        sweeps.get(1).values().stream()
            .filter(decay -> recipe.decay(middle.decay(decay)) >= least * (1 - 1e-9))
            .toList();
    for (Method method : Method.values()) {
      holds(method, large);
    }
    alike(sweeps.get(2));
  }

  /** That the methods are alike all along a sweep. */
  private void alike(Sweep sweep) {
    List<String> seen = new ArrayList<>();
    List<String> unseen = new ArrayList<>();
    for (double value : sweep.values()) {
      Setting setting = sweep.setting().apply(value);
      String where = sweep.symbol() + " = " + show(value) + " ";
      Contrast contrast = contrast(setting);
      if (setting.equals(base)) {
        continue;
      } else if (recipe.decay(setting) < VISIBLE) {
        unseen.add(where + contrast.text());
      } else {
        seen.add(where + chance(setting).orElse(contrast.alike(margin)));
      }
    }
    finding.verdict(
        format("Alike within %s over %s%s", points(margin), sweep.symbol(), length(middle)), seen);
    unseen("Alike over " + sweep.symbol(), unseen);
  }

  private void unseen(String claim, List<String> cases) {
    finding.verdict(
        format(
            "%s%s: nothing to be seen where λ shrinks θ by less than %.0f%% over a whole run. The"
                + " differences there",
            claim, length(middle), 100 * VISIBLE),
        cases);
  }

  /** Of ten classes; runs that ended there are all alike, and say nothing about a method. */
  private Optional<String> chance(Setting setting) {
    Sample before = sample(setting, Method.BEFORE);
    Sample after = sample(setting, Method.AFTER);
    return before.mean() < CHANCE && after.mean() < CHANCE
        ? Optional.of("both at chance, " + before.text(2) + " and " + after.text(2))
        : Optional.empty();
  }

  /** That before clipping is better all along a sweep. */
  private void better(Sweep sweep) {
    List<String> seen = new ArrayList<>();
    List<String> unseen = new ArrayList<>();
    for (double value : sweep.values()) {
      Setting setting = sweep.setting().apply(value);
      Contrast contrast = contrast(setting);
      String where = sweep.symbol() + " = " + show(value) + " ";
      if (recipe.decay(setting) < VISIBLE) {
        unseen.add(where + contrast.text());
      } else {
        seen.add(where + chance(setting).orElse(contrast.verdict(Order.ABOVE)));
      }
    }
    String claim = "Before clipping better over " + sweep.symbol();
    finding.verdict(claim + length(middle), seen);
    unseen(claim, unseen);
  }

  /** Two claims about a large λ: one method keeps its accuracy, the other loses it. */
  private void holds(Method method, List<Double> decays) {
    List<String> cases = new ArrayList<>();
    for (double decay : decays) {
      Setting setting = middle.decay(decay);
      Contrast loss =
          contrast(
              experiment.trials(setting, method, effort),
              experiment.trials(middle, method, effort),
              setting);
      cases.add(
          format(
              "λ = %s %s",
              show(decay),
              method == Method.BEFORE ? loss.notBelow(margin) : loss.verdict(Order.BELOW)));
    }
    finding.verdict(
        format(
            "Large λ%s, %s against its own λ = %s %s",
            length(middle),
            method.label,
            show(middle.decay()),
            method == Method.BEFORE ? "holds within " + points(margin) : "loses accuracy"),
        cases);
  }

  private static String points(double number) {
    return show(number) + (number == 1 ? " point" : " points");
  }
}
