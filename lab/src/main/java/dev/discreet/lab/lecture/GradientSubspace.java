package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.lecture.SubspaceRuns.Setting;
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Document 002, part 2: the gradients' spectrum, and DP-SGD projected onto its top. */
public final class GradientSubspace implements Experiment {
  private static final List<Double> NOISES = List.of(0.0, 1.0, 2.0);

  /** As many directions as are called few. */
  private static final int FEW = 50;

  /** One effect that a slide shows. */
  private record Sweep(String symbol, String what, List<Integer> values, IntFunction<Setting> of) {}

  private static final Setting MNIST = Setting.projected("mnist", 0.23, 0.1);
  private static final Setting FASHION = Setting.projected("fashion-mnist", 0.30, 0.1);
  private static final Setting PLAIN = Setting.plain("mnist", 0.23, 0.05);
  private static final Setting PLAIN_FASHION = Setting.plain("fashion-mnist", 0.30, 0.05);

  @Override
  public String name() {
    return "subspace";
  }

  @Override
  public String document() {
    return "002 part 2";
  }

  @Override
  public String summary() {
    return "the spectrum of gradients, and projected DP-SGD on MNIST and Fashion-MNIST";
  }

  /** Each at two rates: of the first of them five seeds. */
  private static List<Setting> five(Effort effort) {
    List<Setting> settings =
        List.of(
            PLAIN,
            MNIST,
            PLAIN.rate(0.1),
            PLAIN_FASHION,
            FASHION,
            FASHION.from(15),
            PLAIN_FASHION.rate(0.1));
    return effort.pick(settings.subList(0, 2), settings);
  }

  private static List<Setting> main(Effort effort) {
    List<Setting> all = new ArrayList<>(five(effort));
    if (!effort.quick()) {
      all.addAll(
          List.of(
              MNIST.rate(0.05),
              FASHION.rate(0.05),
              PLAIN.noise(18),
              PLAIN.noise(18).rate(0.02),
              MNIST.noise(18),
              MNIST.noise(18).rate(0.05),
              PLAIN_FASHION.noise(14),
              FASHION.noise(14)));
    }
    return all;
  }

  private static List<Sweep> sweeps(Effort effort) {
    return List.of(
        new Sweep(
            "k", "directions kept", effort.pick(List.of(10, 50), List.of(10, 50, 100)), MNIST::k),
        new Sweep("m", "public images", effort.pick(List.of(100), List.of(50, 100, 200)), MNIST::m),
        new Sweep(
            "s",
            "steps between new spaces",
            effort.pick(List.of(1, 10), List.of(1, 40)),
            MNIST::s));
  }

  private static List<Trial> runs(Setting setting, Effort effort) {
    return SubspaceRuns.trials(setting, five(effort).contains(setting) ? 5 : 3, effort);
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    NOISES.forEach(noise -> all.addAll(SubspaceRuns.spectrum(noise, effort)));
    main(effort).forEach(setting -> all.addAll(runs(setting, effort)));
    for (Sweep sweep : sweeps(effort)) {
      sweep.values.forEach(value -> all.addAll(runs(sweep.of.apply(value), effort)));
    }
    return all;
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "Gradients lie close to a few directions, also under DP-SGD; projecting the noisy"
                + " gradient onto the top k, found with public examples, is to beat DP-SGD at small"
                + " ε. The slides show curves without numbers.",
            "test accuracy, %");
    for (Setting setting : main(effort)) {
      row(finding, setting, effort, outcomes);
    }
    dynamics(finding, effort, outcomes);
    for (Sweep sweep : sweeps(effort)) {
      effect(finding, sweep, effort, outcomes);
    }
    spectra(finding, effort, outcomes);
    orders(finding, effort, outcomes);
    return finding
        .assumed(
            "10,000 private and m public images, lots of 250, 30 epochs, C = 1, no averaging: as in"
                + " Zhou, Wu and Banerjee 2021, as far as we know it. They also begin to project"
                + " after 15 epochs on Fashion-MNIST: the row \"from epoch 15\". The network is"
                + " mnist-cnn (26,010 parameters).")
        .assumed(
            "Rates: on MNIST, one run each on a draw of its own at δ = 1e-4 had 0.05 best of four"
                + " (0.02 to 0.2) for DP-SGD and 0.1 above 0.2 for projected, so 0.05 was added. For"
                + " Fashion-MNIST and the rows with a given σ nothing was searched: there are the two"
                + " rates that are shown, at σ = 14 one. The choice of the better of two is made on"
                + " the test accuracies of this page, for both methods alike.")
        .assumed(
            "ε is our certified one at δ = 1e-5. The paper's comes from an older accountant, and we"
                + " believe that its 0.23 is σ = 18 and its 0.30 σ = 14, for Rényi divergences as they were"
                + " converted in 2017 (ε = ρ(α) + ln(1/δ)/(α − 1)) say so: hence the rows with that"
                + " noise.")
        .assumed(
            "The spectrum is that of mlp(128,128) with 118,282 parameters (the slide has about"
                + " 130,000), of 400 training images' gradients after 30 epochs on 10,000.")
        .assumed("Public images are disjoint from private ones and from the test set.")
        .assumed(
            "The run file trains on all 60,000 images, for a run file cannot cut a set, and takes"
                + " its public ones from the test set, which is then smaller by them.")
        .runFile(
            "data: mnist\nmodel: mnist-cnn\nlot-size: 250\nepochs: 30\nclip: 1\nepsilon: 0.23\n"
                + "delta: 1e-5\noptimizer: sgd\nlearning-rate: 0.1\nproject-onto: 50\n"
                + "public-examples: 100\nproject-every: 1\nema: 0\n")
        .build();
  }

  private static void row(
      Finding.Builder finding, Setting setting, Effort effort, Outcomes outcomes) {
    finding.row(
        new Row(
            setting.data() + ", " + setting.amount() + cost(setting),
            setting.method(),
            outcomes.sample(runs(setting, effort), "accuracy"),
            2));
  }

  /** Of a given σ: what it costs in full length. */
  private static String cost(Setting setting) {
    if (setting.noise() == 0) {
      return "";
    }
    var ledger = setting.plan(SubspaceRuns.EPOCHS).forUnits(SubspaceRuns.SIZE).ledger();
    RdpAccountant rdp = new RdpAccountant();
    double then =
        IntStream.rangeClosed(2, 256)
            .mapToDouble(a -> rdp.divergence(ledger, a) + Math.log(1e5) / (a - 1))
            .min()
            .orElseThrow();
    return format(
        " (ε = %.3f; %.3f by RDP as of 2017)",
        new PldAccountant().epsilon(ledger, 1e-5).epsilon(), then);
  }

  private void dynamics(Finding.Builder finding, Effort effort, Outcomes outcomes)
      throws IOException {
    for (String data : List.of("mnist", "fashion-mnist")) {
      Picture picture =
          new Picture(
                  name() + "-" + data, data + ": training dynamics", "epoch", "test accuracy, %")
              .even();
      for (Setting setting : main(effort)) {
        if (setting.data().equals(data) && setting.noise() == 0) {
          List<Double> curve = outcomes.meanCurve(runs(setting, effort), "accuracy");
          picture.curve(setting.method(), setting.k() == 0, i -> i + 1, curve);
        }
      }
      picture.into(finding, data + ": test accuracy after each epoch, mean over seeds.");
    }
  }

  private void effect(Finding.Builder finding, Sweep sweep, Effort effort, Outcomes outcomes)
      throws IOException {
    List<Point> points = new ArrayList<>();
    for (int value : sweep.values) {
      Setting setting = sweep.of.apply(value);
      Sample sample = outcomes.sample(runs(setting, effort), "accuracy");
      if (!main(effort).contains(setting)) {
        row(finding, setting, effort, outcomes);
      }
      if (sample.size() > 0) {
        points.add(new Point(value, sample.mean()));
      }
    }
    if (points.size() > 1) {
      new Picture(
              name() + "-" + sweep.symbol,
              "mnist, ε = 0.23: accuracy over " + sweep.symbol,
              sweep.symbol + ", " + sweep.what,
              "test accuracy, %")
          .line("projected", false, points)
          .into(
              finding,
              "Test accuracy over "
                  + sweep.symbol
                  + ", "
                  + sweep.what
                  + "; the rest as in the baseline.");
      int first = sweep.values.get(0);
      int last = sweep.values.get(sweep.values.size() - 1);
      finding.verdict(
          "Effect of "
              + sweep.symbol
              + " on MNIST, from "
              + first
              + " to "
              + last
              + ": "
              + outcomes
                  .paired(
                      runs(sweep.of.apply(last), effort),
                      runs(sweep.of.apply(first), effort),
                      "accuracy")
                  .text()
              + ".");
    }
  }

  private void spectra(Finding.Builder finding, Effort effort, Outcomes outcomes)
      throws IOException {
    Picture picture =
        new Picture(
            name() + "-spectrum", "eigenvalues of the second moment", "order", "eigenvalue");
    List<List<String>> cells = new ArrayList<>();
    for (double noise : NOISES) {
      String label = noise > 0 ? "DP-SGD, σ = " + show(noise) : "SGD";
      List<Trial> trials = SubspaceRuns.spectrum(noise, effort);
      List<Outcome> done = outcomes.of(trials);
      if (done.isEmpty()) {
        finding.verdict("Few directions hold most of the gradients, " + label + ": not run yet.");
        continue;
      }
      List<Double> values = outcomes.meanCurve(trials, "eigenvalues");
      picture.curve(label, false, i -> i + 1, values.subList(0, Math.min(100, values.size())));
      Sample first = shares(done, "eigenvalues", FEW);
      Sample longest = shares(done, "squared norms", FEW);
      Sample unit = shares(done, "unit eigenvalues", FEW);
      int gradients = done.get(0).curve("squared norms").size();
      cells.add(
          List.of(
              label,
              format("%.3g", values.stream().mapToDouble(x -> x).sum()),
              shares(done, "eigenvalues", 10).text(1),
              first.text(1),
              longest.text(1),
              unit.text(1),
              String.valueOf(directions(values, 90)),
              String.valueOf(directions(values, 99)),
              outcomes.sample(trials, "accuracy").text(1)));
      finding.verdict(
          format(
              "Few directions hold most of the gradients, %s: the first %d hold %.1f%% of the squared"
                  + " norm, but the %d longest of the %d gradients alone have %.1f%%, and would do so"
                  + " if all were orthogonal. With every gradient scaled to length 1 the first %d"
                  + " hold %.1f%% (of orthogonal ones %.1f%%); points above a half: %s.",
              label,
              FEW,
              first.mean(),
              FEW,
              gradients,
              longest.mean(),
              FEW,
              unit.mean(),
              100.0 * FEW / gradients,
              Contrast.of(unit, Sample.of(50, 50)).verdict(Order.ABOVE)));
    }
    if (!cells.isEmpty()) {
      finding.table(
          new Table(
              "The second moment of gradients after training, shares in %",
              List.of(
                  "training",
                  "mean ‖g‖²",
                  "first 10 hold",
                  "first " + FEW + " hold",
                  FEW + " longest have",
                  "first " + FEW + " hold of length 1",
                  "directions for 90%",
                  "for 99%",
                  "test accuracy"),
              cells));
      picture.into(finding, "Eigenvalues of the gradients' second moment, from the largest.");
    }
  }

  private static Sample shares(List<Outcome> done, String curve, int first) {
    return new Sample(
        done.stream().map(each -> SubspaceRuns.share(each.curve(curve), first)).toList());
  }

  private static int directions(List<Double> eigenvalues, double percent) {
    int k = 1;
    while (k < eigenvalues.size() && SubspaceRuns.share(eigenvalues, k) < percent) {
      k++;
    }
    return k;
  }

  /** For each noise: the better of the rates of either method, and in a table each with each. */
  private static void orders(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    Map<String, List<Setting>> groups = new LinkedHashMap<>();
    for (Setting setting : main(effort)) {
      groups
          .computeIfAbsent(setting.data() + ", " + setting.amount(), name -> new ArrayList<>())
          .add(setting);
    }
    List<List<String>> cells = new ArrayList<>();
    groups.forEach(
        (name, settings) -> {
          List<Setting> plain = settings.stream().filter(setting -> setting.k() == 0).toList();
          List<Setting> projected = settings.stream().filter(setting -> setting.k() > 0).toList();
          Setting best = best(projected, effort, outcomes);
          Setting rival = best(plain, effort, outcomes);
          finding.verdict(
              name
                  + ", projected (at rate "
                  + rates(projected, best)
                  + ") above DP-SGD (at "
                  + rates(plain, rival)
                  + "): "
                  + contrast(best, rival, effort, outcomes).verdict(Order.ABOVE)
                  + ".");
          for (Setting one : projected) {
            for (Setting other : plain) {
              cells.add(
                  List.of(
                      name,
                      one.method(),
                      other.method(),
                      contrast(one, other, effort, outcomes).text()));
            }
          }
        });
    finding.table(
        new Table(
            "Points of accuracy that projecting gains, seed by seed",
            List.of("setting", "projected", "DP-SGD", "gain"),
            cells));
  }

  /** The most accurate of those that there are. */
  private static Setting best(List<Setting> settings, Effort effort, Outcomes outcomes) {
    Setting best = settings.get(0);
    for (Setting setting : settings) {
      if (mean(setting, effort, outcomes) > mean(best, effort, outcomes)) {
        best = setting;
      }
    }
    return best;
  }

  private static double mean(Setting setting, Effort effort, Outcomes outcomes) {
    double mean = outcomes.sample(runs(setting, effort), "accuracy").mean();
    return Double.isNaN(mean) ? Double.NEGATIVE_INFINITY : mean;
  }

  private static String rates(List<Setting> settings, Setting best) {
    return show(best.rate())
        + (best.from() > 0 ? " from epoch " + show(best.from()) : "")
        + (settings.size() > 1 ? ", the best of " + settings.size() + " here" : "");
  }

  private static Contrast contrast(
      Setting projected, Setting plain, Effort effort, Outcomes outcomes) {
    return outcomes.paired(runs(projected, effort), runs(plain, effort), "accuracy");
  }
}
