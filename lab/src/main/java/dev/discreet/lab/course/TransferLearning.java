package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.model.Model;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Verdict;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Document 001 §8: private fine-tuning of a public model against training from scratch. */
public final class TransferLearning extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "transfer",
          "001",
          "§8",
          "private fine-tuning of a public model against private training from scratch",
          TransferLearning::new);

  /** How far below the other one may be that is called no worse, in percent. */
  private static final double MARGIN = 2;

  /**
   * @param source public data
   * @param target private data
   */
  private record Pair(String source, String target) {
    String text() {
      return source + " → " + target;
    }
  }

  private static final List<Pair> PAIRS =
      List.of(new Pair("digits", "mnist"), new Pair("mnist", "fashion-mnist"));

  private TransferLearning(Setup setup) {
    super(setup);
  }

  private List<Pair> pairs() {
    return effort.pick(PAIRS.subList(1, 2), PAIRS);
  }

  private enum Method {
    SCRATCH("from scratch"),
    HEAD("new head, the rest frozen"),
    ALL("new head, all layers trained");

    final String label;

    Method(String label) {
      this.label = label;
    }
  }

  /**
   * What is trained, but for seed and rate.
   *
   * @param epsilon infinite for a run without privacy
   */
  private record Setting(Pair pair, double epsilon, Method method) {
    boolean open() {
      return Double.isInfinite(epsilon);
    }

    String where() {
      return pair.text() + ", " + budget(epsilon);
    }
  }

  private List<Double> budgets() {
    return effort.pick(
        List.of(0.5, Double.POSITIVE_INFINITY), List.of(0.5, 2.0, Double.POSITIVE_INFINITY));
  }

  /** Those in the middle have more seeds: where the best is, most often. */
  private List<Double> rates(Setting setting) {
    List<Double> all =
        setting.open()
            ? List.of(0.05, 0.1, 0.2, 0.5)
            : setting.pair.target.equals("mnist")
                ? List.of(0.5, 1.0, 2.0, 4.0, 8.0)
                : List.of(1.0, 2.0, 4.0, 8.0);
    return effort.pick(all.subList(1, 2), all);
  }

  private int seeds(Setting setting, double rate) {
    List<Double> all = rates(setting);
    return rate == all.get(0) || rate == all.get(all.size() - 1) ? 1 : 3;
  }

  private final double epochs = effort.pick(0.1, 5.0);

  private List<Setting> settings(Pair pair, double epsilon) {
    return Stream.of(Method.values()).map(method -> new Setting(pair, epsilon, method)).toList();
  }

  private List<Setting> settings(Pair pair) {
    return budgets().stream().flatMap(epsilon -> settings(pair, epsilon).stream()).toList();
  }

  private Recipe recipe(Setting setting, double rate) {
    return Recipes.of(
        setting.pair.target,
        "mnist-cnn",
        "lot-size=600 epochs=%s %s learning-rate=%s%s",
        epochs,
        Recipes.budget(setting.epsilon, 1e-5),
        rate,
        setting.open() ? "" : " clip=1");
  }

  /** Of the public model. */
  private Recipe source(Pair pair) {
    return Recipes.of(
        pair.source,
        "mnist-cnn",
        "non-private=true lot-size=100 epochs=%s learning-rate=0.05",
        effort.pick(0.1, 3.0));
  }

  private List<Trial> runs(Setting setting, double rate) {
    Training training = Training.of(recipe(setting, rate), 1).tested(effort.pick(1000, 10_000));
    Training source = Training.of(source(setting.pair), 1);
    boolean headOnly = setting.method == Method.HEAD;
    return seeds(
        seeds(setting, rate),
        seed ->
            setting.method == Method.SCRATCH
                ? training.withSeed(seed)
                : new FineTuning(training.withSeed(seed), headOnly, source.withSeed(1000 + seed)));
  }

  private static String budget(double epsilon) {
    return Double.isInfinite(epsilon) ? "not private" : format("ε = %s at δ = 1e-5", epsilon);
  }

  /**
   * A training of a public model with a new last layer.
   *
   * @param headOnly whether the other layers stand still
   * @param source how the public model was trained
   */
  private record FineTuning(Training training, boolean headOnly, Training source) implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Model model = workshop.once(source, () -> source.untested(workshop).model());
      Transfer transfer =
          Transfer.headReplaced(model, 10, Initialiser.PYTORCH_UNIFORM, training.seed())
              .declaredPublic(source.dataName());
      Result result =
          training.result(
              workshop,
              trainer -> {
                Trainer started = trainer.startFrom(transfer);
                return headOnly ? started.freeze(transfer.kept()) : started;
              });
      return Workshop.outcome(result);
    }
  }

  /** Of the rates whose first seed was run, the one at which it is the most accurate. */
  private List<Trial> best(Setting setting) {
    return rates(setting).stream()
        .map(rate -> runs(setting, rate))
        .max(
            Comparator.comparingDouble(
                runs -> outcomes.of(runs.get(0)).map(o -> o.value("accuracy")).orElse(-1.0)))
        .orElseThrow();
  }

  private Sample sample(Setting setting) {
    return accuracy(best(setting));
  }

  @Override
  protected void write() {
    question(
        """
        A public model with a fresh last layer, tuned privately, is to "preserve accuracy … thus
        solving the problem of DP-SGD being very inaccurate when trained from scratch". A plan of
        the document's; it has no figures.
        """,
        "test accuracy at the best rate, %");
    for (Pair pair : pairs()) {
      for (Setting setting : settings(pair)) {
        row(setting.where(), setting.method.label, sample(setting));
      }
      double least = budgets().get(0);
      Picture picture =
          accuracies(pair.source + "-" + pair.target, pair.text() + ", " + budget(least));
      for (Setting setting : settings(pair, least)) {
        List<Double> curve = meanCurve(best(setting), "accuracy");
        picture.looks(setting.method.label, setting.method == Method.SCRATCH, epochs, curve);
      }
      picture.caption("%s: test accuracy after each epoch, %s.", pair.text(), budget(least));
    }
    verdicts();
    allRates();
    assumed(
        """
        Two pairs: generated digits as public data for MNIST, which is close; MNIST as public data
        for Fashion-MNIST, which is not. The public model, another for each seed, has 3 epochs of
        plain SGD (lot 100, rate 0.05); the private run 5 epochs, lot 600, C = 1; the last layer
        begins anew. Without privacy nothing is clipped.

        The rate is the one at which seed 1 has the highest test accuracy, for each setting and
        method by itself: chosen by looking at public data, and not in ε. The rates in the middle
        have three seeds, the others one; where such a one is the best, its spread is borrowed from
        the other private runs for the claim about training from scratch.

        ε covers the target's data only. The public model protects no one in its own data, which is
        declared public.
        """);
    Pair pair = PAIRS.get(1);
    Recipe source = source(pair);
    runFile(
        Recipes.with(
                recipe(new Setting(pair, 0.5, Method.ALL), 2),
                "new-head=true pretrain-data=%s pretrain-seed=1001 pretrain-epochs=%s"
                    + " pretrain-lot-size=%s pretrain-learning-rate=%s pretrain-optimizer=sgd",
                pair.source,
                source.get(LotSettings.EPOCHS).orElseThrow(),
                source.get(LotSettings.LOT_SIZE).orElseThrow(),
                source.get(OptimizerSettings.LEARNING_RATE).orElseThrow())
            .yaml());
  }

  private void allRates() {
    PageTable table = table("All rates", "setting | method | rate: test accuracy, %");
    for (Pair pair : pairs()) {
      for (Setting setting : settings(pair)) {
        table.row(
            setting.where(),
            setting.method.label,
            rates(setting).stream()
                .map(rate -> show(rate) + ": " + accuracy(runs(setting, rate)).text(2))
                .collect(Collectors.joining("; ")));
      }
    }
  }

  /** The most accurate of all methods without privacy. */
  private Sample openly(Pair pair) {
    return settings(pair, Double.POSITIVE_INFINITY).stream()
        .map(setting -> sample(setting))
        .filter(each -> each.size() > 0)
        .max(Comparator.comparingDouble(Sample::mean))
        .orElse(new Sample(List.of()));
  }

  private void verdicts() {
    for (Method method : List.of(Method.HEAD, Method.ALL)) {
      List<Verdict> better = new ArrayList<>();
      List<Verdict> preserves = new ArrayList<>();
      for (Pair pair : pairs()) {
        for (double epsilon : budgets()) {
          if (Double.isFinite(epsilon)) {
            List<Setting> settings = settings(pair, epsilon);
            List<Sample> samples = settings.stream().map(each -> sample(each)).toList();
            Sample ours = samples.get(method.ordinal());
            String where = format("%s at ε = %s ", pair.text(), show(epsilon));
            Contrast gain = Contrast.of(ours, samples.get(0), samples);
            better.add(Verdict.of("%s%s", where, gain.verdict(Order.ABOVE)));
            Contrast loss = Contrast.of(ours, openly(pair));
            preserves.add(Verdict.of("%s%s", where, loss.notBelow(MARGIN)));
          }
        }
      }
      verdicts(method.label + ", better than from scratch", better);
      verdicts(
          format(
              "%s, preserves the accuracy of the best without privacy, within %s points",
              method.label, show(MARGIN)),
          preserves);
    }
  }
}
