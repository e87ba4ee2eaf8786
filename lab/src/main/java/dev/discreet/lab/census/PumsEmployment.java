package dev.discreet.lab.census;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Model;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
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
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Document 003: a private classifier of who is employed, from ten yes-no features. */
public final class PumsEmployment implements Experiment {
  static final double DELTA = 1e-5;

  /**
   * What a run may spend.
   *
   * @param epsilon infinite for no noise
   * @param clip C; infinite for no clipping
   */
  record Level(double epsilon, double clip) {
    static final Level ONE = new Level(1, 1);

    /** Clips nothing of the logistic regression, whose gradients have a norm of √11 at most. */
    static final Level LOOSE = new Level(1, 4);

    static final Level CLIPPED = new Level(Double.POSITIVE_INFINITY, 1);
    static final Level PLAIN = new Level(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    boolean isPrivate() {
      return Double.isFinite(epsilon);
    }

    String text() {
      return (isPrivate() ? "ε = " + epsilon : "not private")
          + (clip == 1
              ? isPrivate() ? "" : ", C = 1"
              : Double.isFinite(clip) ? ", C = " + (int) clip : "");
    }
  }

  /** What is trained; one output, whose logistic function is the probability of a job. */
  enum Kind {
    LOGISTIC("logistic regression", "dense(1) loss=logistic"),
    HIDDEN("32 hidden units", "dense(32) tanh dense(1) loss=logistic");

    final String label;
    final String network;

    Kind(String label, String network) {
      this.label = label;
      this.network = network;
    }
  }

  @Override
  public String name() {
    return "pums";
  }

  @Override
  public String document() {
    return "003";
  }

  @Override
  public String summary() {
    return "who is employed, from a census sample: accuracy and calibration over ε";
  }

  static List<Level> levels(Effort effort) {
    List<Level> all = new ArrayList<>();
    for (double epsilon : effort.pick(List.of(0.1, 1.0), List.of(0.03, 0.1, 0.3, 1.0, 3.0, 10.0))) {
      all.add(new Level(epsilon, 1));
    }
    all.addAll(List.of(Level.LOOSE, Level.CLIPPED, Level.PLAIN));
    return all;
  }

  private static double epochs(Effort effort) {
    return effort.pick(4.0, 20.0);
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (Level level : levels(effort)) {
        all.addAll(trials(kind, level, effort));
      }
    }
    return all;
  }

  static List<Trial> trials(Kind kind, Level level, Effort effort) {
    double epochs = epochs(effort);
    return effort
        .seeds(5)
        .mapToObj(
            seed ->
                new Trial(
                    "pums-employment, "
                        + kind.network
                        + ", lot 512, "
                        + (Double.isFinite(level.clip())
                            ? "clip " + (int) level.clip()
                            : "no clipping")
                        + ", rate 2, average 0.99, "
                        + epochs
                        + " epochs, "
                        + level.text()
                        + ", δ = 1e-5, seed "
                        + seed,
                    workshop ->
                        run(workshop, workshop.data("pums-employment"), kind, level, epochs, seed)))
        .toList();
  }

  static Outcome run(
      Workshop workshop, DataSet data, Kind kind, Level level, double epochs, long seed) {
    Examples train = data.train().examples();
    Examples test = data.test().orElseThrow().examples();
    Network network = Network.parse(kind.network);
    PrivacyPlan.Builder plan =
        (level.isPrivate() ? PrivacyPlan.target(level.epsilon(), DELTA) : PrivacyPlan.nonPrivate())
            .lotSize(Math.min(512, train.size() / 4.0))
            .epochs(epochs);
    plan = Double.isFinite(level.clip()) ? plan.clip(level.clip()) : plan;
    Trainer trainer =
        (level.isPrivate()
                ? Trainer.of(network, plan.build())
                : Trainer.nonPrivate(network, plan.build()))
            .learningRate(2)
            .ema(0.99)
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .insecureSeed(seed);
    Result result = workshop.train(trainer, train, TestSet.declaredPublic(test));
    return measured(Workshop.outcome(result), result.model(), test);
  }

  /** Adds how far the probabilities can be believed. */
  private static Outcome measured(Outcome outcome, Model model, Examples test) {
    double[] said = new double[test.size()];
    double[] was = new double[test.size()];
    float[] target = new float[1];
    try (PublicGradients network = Engine.standard().withThreads(1).open(model.layout(), test)) {
      int[] rows = IntStream.range(0, test.size()).toArray();
      float[] scores = network.predict(model.parameters(), rows);
      for (int i = 0; i < said.length; i++) {
        said[i] = 1 / (1 + Math.exp(-scores[i]));
        test.target(i, target, 0);
        was[i] = target[0];
      }
    }
    ReliabilityDiagram calibration = ReliabilityDiagram.of(said, was);
    double rate = IntStream.range(0, was.length).mapToDouble(i -> was[i]).average().orElseThrow();
    double told = IntStream.range(0, said.length).mapToDouble(i -> said[i]).average().orElseThrow();
    return outcome
        .with("calibration error", 100 * calibration.error())
        .with("rate error", 100 * Math.abs(told - rate))
        .with("majority", 100 * Math.max(rate, 1 - rate))
        .with("said", calibration.said())
        .with("was", calibration.was());
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "The slides set the task: predict from binary census features, among them collegedegree"
                + " and blackfemale, who is employed, by DP-SGD. They show no result in numbers.",
            "test accuracy, %");
    for (Kind kind : Kind.values()) {
      for (Level level : levels(effort)) {
        finding.row(
            new Row(
                level.text(), kind.label, sample(kind, level, "accuracy", effort, outcomes), 2));
      }
    }
    finding.row(new Row("everyone employed", "constant", majority(effort, outcomes), 2));
    finding.table(trust(effort, outcomes));
    figure(finding, "accuracy", "test accuracy, %", effort, outcomes);
    figure(finding, "calibration error", "calibration error, points", effort, outcomes);
    reliability(finding, effort, outcomes);
    verdicts(finding, effort, outcomes);
    return finding
        .verdict(
            "In the document: the objective \"predict the unemployment rate\" is not what the label"
                + " gives. employed is 0 for whoever has no job, students and pensioners included;"
                + " an unemployment rate is a share of those who look for one. What is learned here"
                + " is who has a job.")
        .verdict(
            "In the document: its algorithm 1 is right, the noise once for the sum of a lot"
                + " (document 004's copy of it has it once for each example).")
        .assumed(
            "Data: US Census PUMS, Fulton County, 25,766 people of 18 and more, as prepared for a"
                + " course, a fifth held out by what the rows are. collegedegree is educ of 13 and"
                + " more, which the slides do not define; blackfemale is black and sex = 1.")
        .assumed(
            "The slides name neither network nor settings. Two networks; lots of 512 by Poisson"
                + " sampling, "
                + epochs(effort)
                + " epochs, clipping to C = 1 where no other is named, η = 2, an exponential"
                + " average of the weights (0.99 a step), δ = 1e-5; chosen once, for no ε in"
                + " particular. Intervals are over seeds of start, lots and noise on one fixed"
                + " split.")
        .assumed(
            "Calibration error: ten bins of equal width of the predicted probability, mean"
                + " |predicted − observed| over rows. Rate error: |mean predicted − true share|.")
        .runFile(
            "data: pums-employment\nmodel: dense(1) loss=logistic\nlot-size: 512\nepochs: 20\n"
                + "clip: 1\nepsilon: 1\ndelta: 1e-5\noptimizer: sgd\nlearning-rate: 2\nema: 0.99\n")
        .build();
  }

  private static Sample sample(
      Kind kind, Level level, String measure, Effort effort, Outcomes outcomes) {
    return outcomes.sample(trials(kind, level, effort), measure);
  }

  /** The same of every run, for it depends on the test rows alone. */
  private static Sample majority(Effort effort, Outcomes outcomes) {
    return new Sample(
        sample(Kind.LOGISTIC, Level.PLAIN, "majority", effort, outcomes).values().stream()
            .limit(1)
            .toList());
  }

  private static Table trust(Effort effort, Outcomes outcomes) {
    List<List<String>> rows = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (Level level : levels(effort)) {
        rows.add(
            List.of(
                level.text(),
                kind.label,
                sample(kind, level, "calibration error", effort, outcomes).text(2),
                sample(kind, level, "rate error", effort, outcomes).text(2),
                sample(kind, level, "loss", effort, outcomes).text(4)));
      }
    }
    return new Table(
        "how far the probabilities can be believed, in points",
        List.of("setting", "method", "calibration error", "rate error", "test loss"),
        rows);
  }

  private void figure(
      Finding.Builder finding, String measure, String label, Effort effort, Outcomes outcomes)
      throws IOException {
    List<Level> spent =
        levels(effort).stream()
            .filter(Level::isPrivate)
            .filter(level -> level.clip() == 1)
            .toList();
    Picture picture =
        new Picture(
            name() + "-" + measure.replace(' ', '-'),
            "PUMS employment: " + measure + " over ε",
            "ε",
            label);
    for (Kind kind : Kind.values()) {
      List<Point> points = new ArrayList<>();
      for (Level level : spent) {
        Sample sample = sample(kind, level, measure, effort, outcomes);
        if (sample.size() > 0) {
          points.add(new Point(level.epsilon(), sample.mean()));
        }
      }
      Sample plain = sample(kind, Level.PLAIN, measure, effort, outcomes);
      picture.line(kind.label, false, points);
      if (plain.size() > 0) {
        picture.line(
            kind.label + ", not private",
            true,
            List.of(
                new Point(spent.get(0).epsilon(), plain.mean()),
                new Point(spent.get(spent.size() - 1).epsilon(), plain.mean())));
      }
    }
    picture.into(finding, "The " + measure + " over ε, mean over seeds; dashed: without privacy.");
  }

  /** Said against was, at three levels. */
  private void reliability(Finding.Builder finding, Effort effort, Outcomes outcomes)
      throws IOException {
    Picture picture =
        new Picture(
            name() + "-reliability",
            "PUMS employment: what was said and what was",
            "predicted probability",
            "share employed");
    boolean some = false;
    for (Level level : List.of(Level.ONE, Level.LOOSE, Level.PLAIN)) {
      List<Trial> trials = trials(Kind.LOGISTIC, level, effort);
      List<Double> said = outcomes.meanCurve(trials, "said");
      List<Double> was = outcomes.meanCurve(trials, "was");
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < said.size(); i++) {
        // A bin that is empty for one seed has no mean over seeds.
        if (!Double.isNaN(said.get(i)) && !Double.isNaN(was.get(i))) {
          points.add(new Point(said.get(i), was.get(i)));
        }
      }
      picture.line(level.text(), false, points);
      some |= !points.isEmpty();
    }
    if (some) {
      picture
          .line("as said", true, List.of(new Point(0, 0), new Point(1, 1)))
          .into(
              finding,
              "Share employed over predicted probability in ten bins, logistic regression; dashed:"
                  + " perfect calibration.");
    }
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    List<String> noise = new ArrayList<>();
    List<String> clipping = new ArrayList<>();
    List<String> looser = new ArrayList<>();
    List<String> trustNoise = new ArrayList<>();
    List<String> trustClipping = new ArrayList<>();
    List<String> trustLooser = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      String label = kind.label + " ";
      for (Level level : levels(effort)) {
        if (level.isPrivate() && level.clip() == 1) {
          noise.add(
              label
                  + level.text()
                  + " "
                  + against(kind, level, Level.CLIPPED, "accuracy", effort, outcomes)
                      .verdict(Order.BELOW));
        }
      }
      clipping.add(
          label
              + against(kind, Level.CLIPPED, Level.PLAIN, "accuracy", effort, outcomes)
                  .verdict(Order.BELOW));
      looser.add(
          label
              + against(kind, Level.LOOSE, Level.ONE, "accuracy", effort, outcomes)
                  .verdict(Order.ABOVE));
      trustClipping.add(
          label
              + against(kind, Level.CLIPPED, Level.PLAIN, "calibration error", effort, outcomes)
                  .verdict(Order.ABOVE));
      trustNoise.add(
          label
              + against(kind, Level.ONE, Level.CLIPPED, "calibration error", effort, outcomes)
                  .verdict(Order.ABOVE));
      trustLooser.add(
          label
              + against(kind, Level.LOOSE, Level.ONE, "calibration error", effort, outcomes)
                  .verdict(Order.BELOW));
    }
    String fourfold = "ε = 1, C = 4 in place of C = 1, and so four times the noise, betters ";
    finding
        .verdict("Clipping alone, without noise, costs accuracy, in points", clipping)
        .verdict("Noise costs accuracy beyond what clipping does, in points", noise)
        .verdict(fourfold + "accuracy, in points", looser)
        .verdict("Clipping alone, without noise, costs calibration, in points", trustClipping)
        .verdict(
            "The noise of ε = 1 costs calibration beyond what clipping does, in points", trustNoise)
        .verdict(fourfold + "calibration, in points", trustLooser);
  }

  private static Contrast against(
      Kind kind, Level level, Level other, String measure, Effort effort, Outcomes outcomes) {
    return outcomes.paired(trials(kind, level, effort), trials(kind, other, effort), measure);
  }
}
