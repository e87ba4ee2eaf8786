package dev.discreet.lab.survey;

import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.pca.PrivatePca;
import dev.discreet.algorithms.pca.Projection;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
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
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.lab.training.UnitPixels;
import dev.discreet.report.Article.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** MNIST as in Abadi et al. (2016), which documents 004 and 001 tell of. */
public final class AbadiMnist implements Experiment {
  static final double DELTA = 1e-5;
  private static final int DIRECTIONS = 60;
  private static final double RATE = 0.01;
  private static final long STEPS_PER_EPOCH = 100;

  /**
   * A level of noise of the paper.
   *
   * @param epsilon as published, by the moments accountant
   * @param noise σ of each of the two layers
   * @param pcaNoise σ of the directions
   * @param steps as many as the moments accountant lets pass at that ε, directions included and
   *     with a charge for each layer
   */
  record Level(double epsilon, double noise, double pcaNoise, long steps, double published) {

    PrivacyPlan.Builder paid(PrivacyPlan.Builder plan) {
      return plan.samplingRate(RATE).clipGroups(4, 4).besides(new Gaussian(pcaNoise));
    }

    /** The paper's noise: σC on each layer is σ/√2 on both together. */
    PrivacyPlan plan(long length) {
      return paid(PrivacyPlan.noise(noise / Math.sqrt(2))).steps(length).build();
    }

    /** As the paper's accountant counts: each layer as if it had a lot of its own. */
    Ledger counted(long length) {
      return Ledger.of(Neighbouring.ADD_REMOVE, new Gaussian(pcaNoise), 1)
          .plus(new PoissonSampled(RATE, new Gaussian(noise)), 2 * length);
    }
  }

  /** Large, medium and small noise. A test computes the steps. */
  static final List<Level> LEVELS =
      List.of(
          new Level(0.5, 8, 16, 1_450, 90),
          new Level(2, 4, 7, 10_751, 95),
          new Level(8, 2, 4, 35_318, 97));

  /** How the noise is set. */
  enum Method {
    PAPER("σ of the paper on each layer"),
    TIGHT("σ by pld for the same ε"),
    PLAIN("not private");

    final String label;

    Method(String label) {
      this.label = label;
    }
  }

  @Override
  public String name() {
    return "abadi-mnist";
  }

  @Override
  public String document() {
    return "004 §3 and 001 §6";
  }

  @Override
  public String summary() {
    return "MNIST of Abadi et al.: private PCA to 60, 1,000 hidden units, ε 0.5, 2 and 8";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Level level : LEVELS) {
      all.addAll(trials(level, Method.PAPER, effort));
    }
    all.addAll(trials(LEVELS.get(0), Method.PLAIN, effort));
    for (Level level : tight(effort)) {
      all.addAll(trials(level, Method.TIGHT, effort));
    }
    return all;
  }

  /** At ε = 8 there is little to gain and most of an hour to lose. */
  private static List<Level> tight(Effort effort) {
    return LEVELS.subList(0, effort.pick(1, 2));
  }

  /** Three seeds of the shortest; the longest takes most of an hour. */
  private static int seeds(Level level, Method method) {
    return method == Method.PLAIN
        ? 1
        : level.epsilon() == 0.5 ? 3 : level.epsilon() == 2 && method == Method.PAPER ? 2 : 1;
  }

  private static long steps(Level level, Method method, Effort effort) {
    return effort.quick() ? 30 : method == Method.PLAIN ? 100 * STEPS_PER_EPOCH : level.steps();
  }

  private static int rows(Effort effort) {
    return effort.pick(6_000, 60_000);
  }

  static List<Trial> trials(Level level, Method method, Effort effort) {
    int rows = rows(effort);
    long steps = steps(level, method, effort);
    return effort
        .seeds(seeds(level, method))
        .mapToObj(
            seed ->
                new Trial(
                    "mnist, "
                        + rows
                        + " rows, "
                        + (method == Method.PLAIN
                            ? "PCA without noise"
                            : "ε = " + level.epsilon() + ", PCA noise " + level.pcaNoise())
                        + ", lot "
                        + rows / 100
                        + ", "
                        + steps
                        + " steps, "
                        + (method == Method.PLAIN ? "" : "C = 4 a layer, ")
                        + "rate 0.1 to 0.052, "
                        + method.label
                        + (method == Method.PAPER ? " " + level.noise() : "")
                        + ", seed "
                        + seed,
                    workshop -> run(workshop, level, method, rows, steps, seed)))
        .toList();
  }

  private static Outcome run(
      Workshop workshop, Level level, Method method, int rows, long steps, long seed)
      throws IOException {
    DataSet mnist = workshop.data("mnist");
    Examples train = RandomSubset.some(UnitPixels.ofMnist(mnist.train().examples()), rows);
    Examples tested = UnitPixels.ofMnist(mnist.test().orElseThrow().examples());
    Examples test = RandomSubset.some(tested, rows == 60_000 ? tested.size() : 2_000);
    // A non-private session takes no noise; what is released is the same.
    Projection projection;
    Journal journal = Journal.inMemory(Neighbouring.ADD_REMOVE);
    try (PrivacySession session =
        method == Method.PLAIN
            ? PrivacySession.nonPrivate(journal, Randomness.insecure(seed))
            : PrivacySession.open(journal, Randomness.insecure(seed))) {
      double noise = method == Method.PLAIN ? 1e-6 : level.pcaNoise();
      projection = PrivatePca.fit(session, PrivateData.each(train), DIRECTIONS, noise);
    }
    workshop.checkStopped();
    return trained(
        workshop,
        level,
        method,
        steps,
        seed,
        copy(projection.apply(train)),
        copy(projection.apply(test)));
  }

  private static Outcome trained(
      Workshop workshop,
      Level level,
      Method method,
      long steps,
      long seed,
      Examples train,
      Examples test)
      throws IOException {
    Network network = Network.named("mlp(1000)", 10);
    PrivacyPlan plan =
        switch (method) {
          case PAPER -> level.plan(steps);
          case TIGHT -> level.paid(PrivacyPlan.target(level.epsilon(), DELTA)).steps(steps).build();
          case PLAIN -> PrivacyPlan.nonPrivate().samplingRate(RATE).steps(steps).build();
        };
    Trainer trainer =
        (method == Method.PLAIN ? Trainer.nonPrivate(network, plan) : Trainer.of(network, plan))
            .learningRate(Schedule.linear(0.1, 0.052, 10 * STEPS_PER_EPOCH))
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .evaluateEvery(Math.max(1, steps / 40))
            .insecureSeed(seed);
    Outcome outcome =
        Workshop.outcome(workshop.trainInParts(trainer, 500, train, TestSet.declaredPublic(test)));
    if (method == Method.PLAIN) {
      return outcome;
    }
    // The training's own ledger has the steps alone; the plan has the directions too.
    return outcome.with("epsilon", plan.forUnits(train.size()).epsilon(DELTA).epsilon());
  }

  /** Every row is read once an epoch, and a product with 60 directions each time is too much. */
  private static Examples copy(Examples view) {
    int d = view.input().size();
    float[] inputs = new float[view.size() * d];
    float[] targets = new float[view.size()];
    for (int i = 0; i < view.size(); i++) {
      view.input(i, inputs, i * d);
      view.target(i, targets, i);
    }
    return Examples.of(view.input(), inputs, 1, targets);
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "Abadi et al. reach 90% at ε = 0.5, 95% at ε = 2 and 97% at ε = 8 (δ = 1e-5), against"
                + " 98.3% without privacy. Document 001 quotes 97% at ε = 2.",
            "test accuracy, %");
    Sample plain = sample(LEVELS.get(0), Method.PLAIN, effort, outcomes);
    finding.row(new Row("no privacy, 100 epochs", Method.PLAIN.label, 98.3, plain, 2));
    for (Level level : LEVELS) {
      String setting = "ε = " + show(level.epsilon());
      Sample ours = sample(level, Method.PAPER, effort, outcomes);
      finding.row(new Row(setting, Method.PAPER.label, level.published(), ours, 2));
      if (level.epsilon() == 2) {
        finding.row(new Row(setting + ", as quoted in 001", Method.PAPER.label, 97, ours, 2));
      }
      if (tight(effort).contains(level)) {
        finding.row(
            new Row(
                setting,
                Method.TIGHT.label,
                OptionalDouble.empty(),
                sample(level, Method.TIGHT, effort, outcomes),
                2));
      }
    }
    finding.table(costs());
    curves(finding, effort, outcomes);
    verdicts(finding, effort, outcomes);
    return assumed(finding, effort)
        .runFile(
            "# ε = 2: σ = 4 on each layer is 4/√2 on both together.\n"
                + "data: mnist\nmean: 0\ndeviation: 1\nmodel: mlp(1000)\npca: 60\npca-noise: 7\n"
                + "lot-size: 600\nsteps: 10751\nclip-per-layer: 4,4\nnoise-multiplier: 2.8284271\n"
                + "delta: 1e-5\noptimizer: sgd\nlearning-rate: 0.1\nschedule: linear(0.52,1000)\n"
                + "ema: 0\n")
        .build();
  }

  static Sample sample(Level level, Method method, Effort effort, Outcomes outcomes) {
    return outcomes.sample(trials(level, method, effort), "accuracy");
  }

  /** What the same steps cost, as the paper counts and by three accountants. */
  private static Table costs() {
    List<List<String>> rows = new ArrayList<>();
    for (Level level : LEVELS) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  show(level.epsilon()),
                  show(level.noise()),
                  show(level.pcaNoise()),
                  String.format(Locale.ROOT, "%.1f", level.steps() / (double) STEPS_PER_EPOCH),
                  epsilon("moments", level.counted(level.steps()))));
      for (String name : List.of("moments", "rdp", "pld")) {
        row.add(epsilon(name, level.plan(level.steps()).forUnits(60_000).ledger()));
      }
      rows.add(row);
    }
    return new Table(
        "what the paper's steps cost, directions included, at δ = 1e-5",
        List.of(
            "ε published",
            "σ of a layer",
            "σ of PCA",
            "epochs",
            "moments, a charge a layer",
            "moments, layers together",
            "rdp, together",
            "pld, together"),
        rows);
  }

  private static String epsilon(String accountant, Ledger ledger) {
    return String.format(
        Locale.ROOT, "%.3f", Accountants.named(accountant).epsilon(ledger, DELTA).epsilon());
  }

  private void curves(Finding.Builder finding, Effort effort, Outcomes outcomes)
      throws IOException {
    Picture picture =
        new Picture(
                name() + "-epochs", "MNIST at three levels of noise", "epoch", "test accuracy, %")
            .even();
    for (Level level : LEVELS) {
      List<Double> curve = outcomes.meanCurve(trials(level, Method.PAPER, effort), "accuracy");
      double epochs = steps(level, Method.PAPER, effort) / (double) STEPS_PER_EPOCH;
      picture.looks("ε = " + show(level.epsilon()), false, epochs, curve);
    }
    picture.into(
        finding, "Test accuracy over epochs with the noise of the paper, mean over seeds.");
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    List<Sample> alike =
        LEVELS.stream().map(level -> sample(level, Method.PAPER, effort, outcomes)).toList();
    for (int i = 1; i < LEVELS.size(); i++) {
      finding.verdict(
          "More accurate at ε = "
              + show(LEVELS.get(i).epsilon())
              + " than at "
              + show(LEVELS.get(i - 1).epsilon())
              + ": "
              + Contrast.of(alike.get(i), alike.get(i - 1), alike).verdict(Order.ABOVE)
              + ".");
    }
    for (int i = 0; i < LEVELS.size(); i++) {
      double published = LEVELS.get(i).published();
      // As many times as leave the interval to ours: how the paper's runs spread is not known.
      Sample theirs = new Sample(Collections.nCopies(100, published));
      finding.verdict(
          "ε = "
              + show(LEVELS.get(i).epsilon())
              + ", points above the published "
              + show(published)
              + "%: "
              + Contrast.of(alike.get(i), theirs, alike).text()
              + ".");
    }
    Sample medium = alike.get(1);
    finding.verdict(
        "Document 001 quotes 97% at ε = 2. The paper has 95% there, and 97% at ε = 8: a slip in the"
            + " quotation"
            + (medium.size() == 0 ? "." : "; ours at ε = 2 is " + medium.text(2) + "%."));
    finding.verdict(
        "Document 004's algorithm 1 has the noise inside the sum over the lot, a draw for each"
            + " example: with L = 600 that is √600 = 24.5 times the deviation that the guarantee"
            + " needs. Document 003 has it right, once for the sum. Here it is added once.");
    for (Level level : tight(effort)) {
      finding.verdict(
          "ε = "
              + show(level.epsilon())
              + ", points gained by pld's noise in place of the paper's, with as many steps and for"
              + " the same promise: "
              + Contrast.of(
                      sample(level, Method.TIGHT, effort, outcomes),
                      sample(level, Method.PAPER, effort, outcomes),
                      alike)
                  .text()
              + ".");
    }
  }

  private static Finding.Builder assumed(Finding.Builder finding, Effort effort) {
    return finding
        .assumed(
            "From the paper: lot 600 of 60,000 by Poisson sampling, 60 private principal"
                + " directions of rows scaled to length 1, 1,000 ReLU units, gradient of each layer"
                + " clipped to 4, η from 0.1 to 0.052 over 10 epochs, σ = 8, 4, 2 with 16, 7, 4 for"
                + " the directions.")
        .assumed(
            "The paper trains until its moments accountant would pass the stated ε, and tells the"
                + " number of epochs in figures only. Ours are in the table.")
        .assumed(
            "Each layer gets noise σC and is charged for: document 004 §3.1 says that the"
                + " accountant accumulates the cost of all layers' gradients, and we know the"
                + " authors' released code to do so. That takes the layers of a step for two lots;"
                + " they come from one, which is one Gaussian of σ/√2 and costs more where σ is"
                + " small. The table has both, and \""
                + Method.TIGHT.label
                + "\" keeps the stated ε for the one.")
        .assumed(
            effort.quick()
                ? "Quick: 6,000 rows, lots of 60, 30 steps."
                : "Cut for two cores: three seeds at ε = 0.5, two at 2 (one by pld) and one at 8;"
                    + " nothing is cut of their length. Where there is one seed, its spread is"
                    + " taken to be that of the settings with more.");
  }
}
