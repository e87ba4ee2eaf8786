package dev.discreet.lab.course;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.util.List;

/**
 * Document 001 §6: ten logistic regressions on Fashion-MNIST, in the ways in which they can be run.
 * Its figures come out of lots of 600, 50 epochs, η = 0.01 and C = 0.5, which are those of the code
 * that it refers to.
 */
abstract class FashionStudy extends Study {
  static final double CLIP = 0.5;
  static final double DELTA = 1e-5;
  static final double LOT = 600;
  private static final int EXAMPLES = 60_000;

  /** What is clipped, and the learning rate. */
  enum Way {
    AS_RUN("as-run: mean clipped, noise on the mean", 0.01),
    CORRECT("correct: each gradient clipped", 0.01),
    TUNED("correct, η = 2", 2),
    FASTER("correct, η = 4", 4),
    FASTEST("correct, η = 8", 8),
    PLAIN("no DP", 0.01),
    PLAIN_TUNED("no DP, η = 0.1", 0.1);

    final String label;
    final double rate;

    Way(String label, double rate) {
      this.label = label;
      this.rate = rate;
    }
  }

  /** How long a training is. */
  final double epochs = effort.pick(2.0, 50.0);

  FashionStudy(Setup setup) {
    super(setup);
  }

  /** Without privacy: at the same rate, or at one that suits it where that was looked for. */
  static Way plain(Way way) {
    return way.rate == Way.PLAIN.rate ? Way.PLAIN : Way.PLAIN_TUNED;
  }

  /** Ten sigmoids from zero on pixels in [0, 1]. */
  static Recipe sigmoids(String data) {
    return Recipes.of(
        data, "flatten dense(10) loss=logistic", Recipes.UNIT_PIXELS + "initialiser=zeros");
  }

  final Recipe recipe(Way way, double noise, double lot) {
    Recipe recipe =
        Recipes.with(
            sigmoids("fashion-mnist"),
            "lot-size=%s epochs=%s learning-rate=%s",
            lot,
            epochs,
            way.rate);
    return switch (way) {
      case AS_RUN, PLAIN, PLAIN_TUNED ->
          Recipes.with(recipe, "non-private=true sampler=shuffled neighbouring=zero-out");
      default -> Recipes.with(recipe, "clip=%s noise-multiplier=%s delta=%s", CLIP, noise, DELTA);
    };
  }

  /** One for each seed. */
  final List<Trial> trials(Way way, double noise, double lot) {
    Recipe recipe = recipe(way, noise, lot);
    return seeds(
        4,
        seed ->
            way == Way.AS_RUN
                ? Training.of(recipe, seed).varied(new BatchClipping(CLIP, noise))
                : Training.of(recipe, seed));
  }

  /** ε as the document accounts for it: σ as multiplier, Rényi, Poisson lots. */
  static double stated(double noise, double lot, double epochs) {
    return epsilon(new RdpAccountant(), noise, lot, epochs);
  }

  /** What DP-SGD with this noise costs, as its trials find it too. */
  static double spent(double noise, double lot, double epochs) {
    return epsilon(new PldAccountant(), noise, lot, epochs);
  }

  private static double epsilon(Accountant accountant, double noise, double lot, double epochs) {
    long steps = Math.max(1, Math.round(epochs * EXAMPLES / lot));
    PoissonSampled step = new PoissonSampled(lot / EXAMPLES, new Gaussian(noise));
    return accountant.epsilon(Ledger.of(Neighbouring.ADD_REMOVE, step, steps), DELTA).epsilon();
  }

  /**
   * The noise multiplier that the code truly has. Clipping a mean to a ball moves no two means
   * further apart, so an example moves it by its gradient over the lot, and that is below √10·√785
   * since pixels are in [0, 1]: C does not come in.
   */
  static double trueMultiplier(double noise, double lot) {
    return noise * lot / Math.sqrt(10 * 785);
  }

  /**
   * What the notes' code costs: its lots are shuffled, so an example is in one each epoch.
   *
   * @param neighbouring with a number of examples that is known, as shuffled lots need it
   */
  record CodeCost(Neighbouring neighbouring, double noise, double lot, int epochs, double delta)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      Gaussian epoch = new Gaussian(trueMultiplier(noise, lot));
      Ledger ledger = Ledger.of(neighbouring, epoch, epochs);
      return Outcome.of("epsilon", new PldAccountant().epsilon(ledger, delta).epsilon());
    }
  }

  /**
   * A table of what the document's code costs.
   *
   * @param columns before those that every such table has
   */
  final PageTable codeCosts(String title, String columns) {
    String bound = " | ε of its shuffled lots, bound, ";
    return table(
        title,
        columns
            + " | true multiplier"
            + bound
            + Neighbouring.ZERO_OUT.label()
            + bound
            + Neighbouring.REPLACE_ONE.label());
  }

  final String codeCost(Neighbouring neighbouring, double noise, double lot) {
    CodeCost cost = new CodeCost(neighbouring, noise, lot, 50, DELTA);
    return outcomes.text(cost, "epsilon", "%.3g");
  }

  /** What its pages have in common. */
  final void notes() {
    verdict(
        """
        The document describes Algorithm 1 but ran another: dpsgd_RDP_numpy.py in the repository
        that it refers to (JohnF1103/ML-OPT-project) computes the mean gradient of a lot, clips that
        (weights and biases each to C) and adds noise of deviation σ to each coordinate, neither
        times C nor over the lot. Clipping a mean bounds no example's part: that this is private at
        all is owed to pixels in [0, 1].
        """);
    assumed(
        """
        A stated ε is for neighbours that differ by an example's presence, with Poisson lots.
        Shuffled lots need a number of examples that is known: zero-out takes one's part away and
        leaves its place, replace-one puts another there.

        The document names neither lot, length, rate nor C of these figures. 50 epochs, lots of 600,
        σ = 1, η = 0.01, C = 0.5 and a start at zero are those of dpsgd_RDP_numpy.py; σ = 0.6, and
        for the batches σ = 0.7 and lots of 100 to 1000, are what gives the stated ε by Rényi
        accounting.

        as-run: that code's step, lots from shuffled epochs. correct: each example's gradient
        clipped, noise σC on the sum, Poisson lots, by this library. η = 2 was chosen among 0.01,
        0.5 and 2, and η = 0.1 without DP, on the public test set; fashion-noise has η = 4 and 8
        beside it.
        """);
  }
}
