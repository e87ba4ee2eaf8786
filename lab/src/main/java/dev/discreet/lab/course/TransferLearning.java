package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Model;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.core.train.Transfer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Drawn;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Document 001 §8: private fine-tuning of a public model against training from scratch. */
public final class TransferLearning implements Experiment {
  private static final double RATE = 0.5;

  /** Models that trials share: the public part is trained once for all. */
  private final Map<String, Model> sources = new ConcurrentHashMap<>();

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

  private static List<Pair> pairs(Effort effort) {
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

  @Override
  public String name() {
    return "transfer";
  }

  @Override
  public String document() {
    return "001 §8";
  }

  @Override
  public String summary() {
    return "private fine-tuning of a public model against private training from scratch";
  }

  /** ε; infinite for a run without privacy. */
  private static List<Double> budgets(Effort effort) {
    return effort.pick(List.of(0.5), List.of(0.5, 2.0, Double.POSITIVE_INFINITY));
  }

  private static double epochs(Effort effort) {
    return effort.pick(0.1, 5.0);
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Pair pair : pairs(effort)) {
      for (double epsilon : budgets(effort)) {
        for (Method method : Method.values()) {
          all.addAll(runs(pair, epsilon, method, effort));
        }
      }
    }
    return all;
  }

  private List<Trial> runs(Pair pair, double epsilon, Method method, Effort effort) {
    double epochs = epochs(effort);
    double before = effort.pick(0.1, 3.0);
    return effort
        .seeds(Double.isInfinite(epsilon) ? 1 : 3)
        .mapToObj(
            seed ->
                new Trial(
                    (method == Method.SCRATCH
                            ? pair.target
                            : pair.text() + " (" + show(before) + " epochs without privacy)")
                        + ", mnist-cnn, lot 600, rate "
                        + show(RATE)
                        + ", C = 1, epochs "
                        + show(epochs)
                        + ", "
                        + budget(epsilon)
                        + ", "
                        + method.label
                        + ", seed "
                        + seed,
                    workshop -> run(workshop, pair, epsilon, method, epochs, before, seed)))
        .toList();
  }

  private static String budget(double epsilon) {
    return Double.isInfinite(epsilon) ? "not private" : "ε = " + show(epsilon) + " at δ = 1e-5";
  }

  private Outcome run(
      Workshop workshop,
      Pair pair,
      double epsilon,
      Method method,
      double epochs,
      double before,
      long seed)
      throws IOException {
    DataSet data = workshop.data(pair.target);
    Network network = Network.named("mnist-cnn");
    boolean open = Double.isInfinite(epsilon);
    PrivacyPlan plan =
        (open ? PrivacyPlan.nonPrivate() : PrivacyPlan.target(epsilon, 1e-5))
            .lotSize(600)
            .epochs(epochs)
            .clip(1)
            .build();
    Trainer trainer =
        (open ? Trainer.nonPrivate(network, plan) : Trainer.of(network, plan))
            .learningRate(RATE)
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .insecureSeed(seed);
    if (method != Method.SCRATCH) {
      Transfer transfer =
          Transfer.headReplaced(
                  source(workshop, pair.source, before), 10, Initialiser.PYTORCH_UNIFORM, seed)
              .declaredPublic(pair.source);
      trainer = trainer.startFrom(transfer);
      if (method == Method.HEAD) {
        trainer = trainer.freeze(transfer.kept());
      }
    }
    Result result =
        workshop.train(
            trainer,
            data.train().examples(),
            TestSet.declaredPublic(
                Drawn.some(data.test().orElseThrow().examples(), epochs < 1 ? 1000 : 10_000)));
    return Workshop.outcome(result);
  }

  private Model source(Workshop workshop, String name, double epochs) throws IOException {
    try {
      return sources.computeIfAbsent(
          name + " " + epochs,
          key -> {
            try {
              Examples examples = workshop.data(name).train().examples();
              Trainer trainer =
                  Trainer.nonPrivate(
                          Network.named("mnist-cnn"),
                          PrivacyPlan.nonPrivate().lotSize(100).epochs(epochs).build())
                      .learningRate(0.05)
                      .initialiser(Initialiser.PYTORCH_UNIFORM, 1000)
                      .insecureSeed(1000);
              return workshop.train(trainer, examples, null).model();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "A public model with a fresh last layer, tuned privately, is to \"preserve accuracy …"
                + " thus solving the problem of DP-SGD being very inaccurate when trained from"
                + " scratch\". A plan of the document's; it has no figures.",
            "test accuracy, %");
    for (Pair pair : pairs(effort)) {
      for (double epsilon : budgets(effort)) {
        for (Method method : Method.values()) {
          finding.row(
              new Row(
                  pair.text() + ", " + budget(epsilon),
                  method.label,
                  sample(pair, epsilon, method, effort, outcomes),
                  2));
        }
        if (Double.isFinite(epsilon)) {
          verdicts(finding, pair, epsilon, effort, outcomes);
        }
      }
      double least = budgets(effort).get(0);
      Picture picture =
          new Picture(
                  name() + "-" + pair.source + "-" + pair.target,
                  pair.text() + ", " + budget(least),
                  "epoch",
                  "test accuracy, %")
              .even();
      for (Method method : Method.values()) {
        List<Double> curve = outcomes.meanCurve(runs(pair, least, method, effort), "accuracy");
        picture.looks(method.label, method == Method.SCRATCH, epochs(effort), curve);
      }
      picture.into(
          finding, pair.text() + ": test accuracy after each epoch, " + budget(least) + ".");
    }
    return finding
        .assumed(
            "Two pairs: generated digits as public data for MNIST, which is close; MNIST as public"
                + " data for Fashion-MNIST, which is not. The public model has 3 epochs of plain"
                + " SGD (lot 100, rate 0.05); the private run 5 epochs, lot 600, C = 1, rate 0.5 for"
                + " every method; the last layer begins anew.")
        .assumed(
            "ε covers the target's data only. The public model protects no one in its own data,"
                + " which is declared public.")
        .build();
  }

  private Sample sample(
      Pair pair, double epsilon, Method method, Effort effort, Outcomes outcomes) {
    return outcomes.sample(runs(pair, epsilon, method, effort), "accuracy");
  }

  private void verdicts(
      Finding.Builder finding, Pair pair, double epsilon, Effort effort, Outcomes outcomes) {
    Sample scratch = sample(pair, epsilon, Method.SCRATCH, effort, outcomes);
    for (Method method : List.of(Method.HEAD, Method.ALL)) {
      Contrast contrast = Contrast.of(sample(pair, epsilon, method, effort, outcomes), scratch);
      finding.verdict(
          format(
              "%s, %s, %s better than from scratch: %s.",
              pair.text(), budget(epsilon), method.label, contrast.verdict(Order.ABOVE)));
    }
  }
}
