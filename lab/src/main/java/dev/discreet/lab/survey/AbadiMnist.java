package dev.discreet.lab.survey;

import static dev.discreet.lab.Numbers.format;
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
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Result;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** MNIST as in Abadi et al. (2016), which documents 004 and 001 tell of. */
public final class AbadiMnist extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "abadi-mnist",
          "004",
          "§3 and 001 §6",
          "MNIST of Abadi et al.: private PCA to 60, 1,000 hidden units, ε 0.5, 2 and 8",
          AbadiMnist::new);

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

    /** σC on each layer is σ/√2 on both together. */
    double multiplier() {
      return noise / Math.sqrt(2);
    }

    PrivacyPlan plan(long length) {
      return PrivacyPlan.noise(multiplier())
          .samplingRate(RATE)
          .clipGroups(4, 4)
          .besides(new Gaussian(pcaNoise))
          .steps(length)
          .build();
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

  AbadiMnist(Setup setup) {
    super(setup);
  }

  /** At ε = 8 there is little to gain and most of an hour to lose. */
  private List<Level> tight() {
    return LEVELS.subList(0, effort.pick(1, 2));
  }

  /** Three seeds of the shortest; the longest takes most of an hour. */
  private int seeds(Level level, Method method) {
    return method == Method.PLAIN
        ? 1
        : level.epsilon() == 0.5 ? 3 : level.epsilon() == 2 && method == Method.PAPER ? 2 : 1;
  }

  private long steps(Level level, Method method) {
    return effort.quick() ? 30 : method == Method.PLAIN ? 100 * STEPS_PER_EPOCH : level.steps();
  }

  private Recipe recipe(Level level, Method method) {
    long steps = steps(level, method);
    Recipe recipe =
        Recipes.of(
            "mnist",
            "mlp(1000)",
            Recipes.UNIT_PIXELS
                + "sampling-rate=%s steps=%s learning-rate=0.1 schedule=linear(0.52,%s)"
                + " evaluate-every=%s",
            RATE,
            steps,
            10 * STEPS_PER_EPOCH,
            Math.max(1, steps / 40));
    return switch (method) {
      case PLAIN -> Recipes.with(recipe, "non-private=true");
      case TIGHT -> paid(recipe, level, "epsilon", level.epsilon);
      case PAPER -> paid(recipe, level, "noise-multiplier", level.multiplier());
    };
  }

  private static Recipe paid(Recipe recipe, Level level, String noise, double amount) {
    return Recipes.with(
        recipe,
        "pca=%s pca-noise=%s clip-per-layer=4,4 delta=%s %s=%s",
        DIRECTIONS,
        level.pcaNoise,
        DELTA,
        noise,
        amount);
  }

  final List<Trial> trials(Level level, Method method) {
    int rows = effort.pick(6_000, 60_000);
    return seeds(
        seeds(level, method),
        seed ->
            new PcaTraining(
                DIRECTIONS,
                Training.of(recipe(level, method), seed)
                    .rows(rows)
                    .tested(effort.pick(2_000, 10_000))));
  }

  /** A training on private principal directions, which are found first. */
  private record PcaTraining(int directions, Training training) implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Recipe recipe = training.recipe();
      DataSet mnist = training.cut(training.data(workshop));
      Projection projection = projection(mnist.train().examples());
      workshop.checkStopped();
      DataSet projected =
          Training.with(
              mnist,
              copy(projection.apply(mnist.train().examples())),
              copy(projection.apply(mnist.test().orElseThrow().examples())));
      if (recipe.sets(PrivacySettings.NON_PRIVATE)) {
        return Workshop.outcome(training.on(projected, workshop));
      }
      // The training's own ledger has the steps alone; the plan has the directions too.
      ResolvedPlan plan = recipe.prepare(mnist).plan();
      Recipe steps =
          recipe
              .without(ModelSettings.PCA)
              .without(PrivacySettings.PCA_NOISE)
              .with(PrivacySettings.NOISE_MULTIPLIER, plan.multiplier(0));
      Result result = Training.of(steps, training.seed()).on(projected, workshop);
      double delta = recipe.get(PrivacySettings.DELTA).orElseThrow();
      return Workshop.outcome(result).with("epsilon", plan.epsilon(delta).epsilon());
    }

    private Projection projection(Examples train) {
      Journal journal = Journal.inMemory(Neighbouring.ADD_REMOVE);
      Randomness random = Randomness.insecure(training.seed());
      Optional<Double> noise = training.recipe().get(PrivacySettings.PCA_NOISE);
      // A non-private session takes no noise; what is released is the same.
      try (PrivacySession session =
          noise.isEmpty()
              ? PrivacySession.nonPrivate(journal, random)
              : PrivacySession.open(journal, random)) {
        return PrivatePca.fit(session, PrivateData.each(train), directions, noise.orElse(1e-6));
      }
    }
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
  protected void write() {
    question(
        """
        Abadi et al. reach 90% at ε = 0.5, 95% at ε = 2 and 97% at ε = 8 (δ = 1e-5), against 98.3%
        without privacy. Document 001 quotes 97% at ε = 2.
        """,
        "test accuracy, %");
    Sample plain = sample(LEVELS.get(0), Method.PLAIN);
    row("no privacy, 100 epochs", Method.PLAIN.label, 98.3, plain);
    for (Level level : LEVELS) {
      String setting = "ε = " + show(level.epsilon());
      Sample ours = sample(level, Method.PAPER);
      row(setting, Method.PAPER.label, level.published(), ours);
      if (level.epsilon() == 2) {
        row(setting + ", as quoted in 001", Method.PAPER.label, 97, ours);
      }
      if (tight().contains(level)) {
        row(setting, Method.TIGHT.label, sample(level, Method.TIGHT));
      }
    }
    costs();
    curves();
    verdicts();
    assumptions();
    runFile(
        "# ε = 2: σ = 4 on each layer is 4/√2 on both together.\n"
            + recipe(LEVELS.get(1), Method.PAPER).yaml());
  }

  Sample sample(Level level, Method method) {
    return accuracy(trials(level, method));
  }

  /** What the same steps cost, as the paper counts and by three accountants. */
  private void costs() {
    PageTable table =
        table(
            "what the paper's steps cost, directions included, at δ = 1e-5",
            "ε published | σ of a layer | σ of PCA | epochs | moments, a charge a layer | moments,"
                + " layers together | rdp, together | pld, together");
    for (Level level : LEVELS) {
      Ledger ledger = level.plan(level.steps()).forUnits(60_000).ledger();
      table.row(
          level.epsilon(),
          level.noise(),
          level.pcaNoise(),
          format("%.1f", level.steps() / (double) STEPS_PER_EPOCH),
          epsilon("moments", level.counted(level.steps())),
          epsilon("moments", ledger),
          epsilon("rdp", ledger),
          epsilon("pld", ledger));
    }
  }

  private String epsilon(String accountant, Ledger ledger) {
    return format("%.3f", Accountants.named(accountant).epsilon(ledger, DELTA).epsilon());
  }

  private void curves() {
    Picture picture = accuracies("epochs", "MNIST at three levels of noise");
    for (Level level : LEVELS) {
      List<Double> curve = meanCurve(trials(level, Method.PAPER), "accuracy");
      double epochs = steps(level, Method.PAPER) / (double) STEPS_PER_EPOCH;
      picture.looks("ε = " + show(level.epsilon()), false, epochs, curve);
    }
    picture.caption("Test accuracy over epochs with the noise of the paper, mean over seeds.");
  }

  private void verdicts() {
    List<Sample> alike = LEVELS.stream().map(level -> sample(level, Method.PAPER)).toList();
    for (int i = 1; i < LEVELS.size(); i++) {
      verdict(
          "More accurate at ε = %s than at %s: %s.",
          LEVELS.get(i).epsilon(),
          LEVELS.get(i - 1).epsilon(),
          Contrast.of(alike.get(i), alike.get(i - 1), alike).verdict(Order.ABOVE));
    }
    for (int i = 0; i < LEVELS.size(); i++) {
      double published = LEVELS.get(i).published();
      // As many times as leave the interval to ours: how the paper's runs spread is not known.
      Sample theirs = new Sample(Collections.nCopies(100, published));
      verdict(
          "ε = %s, points above the published %s%%: %s.",
          LEVELS.get(i).epsilon(), published, Contrast.of(alike.get(i), theirs, alike).text());
    }
    Sample medium = alike.get(1);
    verdict(
        """
        Document 001 quotes 97%% at ε = 2. The paper has 95%% there, and 97%% at ε = 8: a slip in
        the quotation%s
        """,
        medium.size() == 0 ? "." : "; ours at ε = 2 is " + medium.text(2) + "%.");
    verdict(
        """
        Document 004's algorithm 1 has the noise inside the sum over the lot, a draw for each
        example: with L = 600 that is √600 = 24.5 times the deviation that the guarantee needs.
        Document 003 has it right, once for the sum. Here it is added once.
        """);
    for (Level level : tight()) {
      verdict(
          """
          ε = %s, points gained by pld's noise in place of the paper's, with as many steps and for
          the same promise: %s.
          """,
          level.epsilon(),
          Contrast.of(sample(level, Method.TIGHT), sample(level, Method.PAPER), alike).text());
    }
  }

  private void assumptions() {
    assumed(
        """
        From the paper: lot 600 of 60,000 by Poisson sampling, 60 private principal directions of
        rows scaled to length 1, 1,000 ReLU units, gradient of each layer clipped to 4, η from 0.1
        to 0.052 over 10 epochs, σ = 8, 4, 2 with 16, 7, 4 for the directions.

        The paper trains until its moments accountant would pass the stated ε, and tells the number
        of epochs in figures only. Ours are in the table.

        Each layer gets noise σC and is charged for: document 004 §3.1 says that the accountant
        accumulates the cost of all layers' gradients, and we know the authors' released code to do
        so. That takes the layers of a step for two lots; they come from one, which is one Gaussian
        of σ/√2 and costs more where σ is small. The table has both, and "%s" keeps the stated ε for
        the one.
        """,
        Method.TIGHT.label);
    assumed(
        effort.quick()
            ? "Quick: 6,000 rows, lots of 60, 30 steps."
            : """
              Cut for two cores: three seeds at ε = 0.5, two at 2 (one by pld) and one at 8; nothing
              is cut of their length. Where there is one seed, its spread is taken to be that of the
              settings with more.
              """);
  }
}
