package dev.discreet.lab.census;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.model.Model;
import dev.discreet.core.train.Result;
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
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Document 003: a private classifier of who is employed, from ten yes-no features. */
public final class PumsEmployment extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "pums",
          "003",
          "",
          "who is employed, from a census sample: accuracy and calibration over ε",
          PumsEmployment::new);

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

  List<Level> levels() {
    List<Level> all = new ArrayList<>();
    for (double epsilon : effort.pick(List.of(0.1, 1.0), List.of(0.03, 0.1, 0.3, 1.0, 3.0, 10.0))) {
      all.add(new Level(epsilon, 1));
    }
    all.addAll(List.of(Level.LOOSE, Level.CLIPPED, Level.PLAIN));
    return all;
  }

  /** Of the private levels, those that clip alike. */
  private final List<Level> spent =
      levels().stream().filter(level -> level.isPrivate() && level.clip == 1).toList();

  private final double epochs = effort.pick(4.0, 20.0);

  private PumsEmployment(Setup setup) {
    super(setup);
  }

  static Recipe recipe(Kind kind, Level level, double epochs) {
    return Recipes.of(
        "pums-employment",
        kind.network,
        "lot-size=512 epochs=%s %s%s learning-rate=2 ema=0.99",
        epochs,
        Recipes.budget(level.epsilon, 1e-5),
        Double.isFinite(level.clip) ? " clip=" + (int) level.clip : "");
  }

  private List<Trial> trials(Kind kind, Level level) {
    Recipe recipe = recipe(kind, level, epochs);
    return seeds(5, seed -> new Employment(Training.of(recipe, seed)));
  }

  /** A training, and how far its probabilities can be believed. */
  record Employment(Training training) implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Result result = training.result(workshop);
      Examples test = training.cut(training.data(workshop)).test().orElseThrow().examples();
      return measured(Workshop.outcome(result), result.model(), test);
    }
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
  protected void write() {
    question(
        """
        The slides set the task: predict from binary census features, among them collegedegree and
        blackfemale, who is employed, by DP-SGD. They show no result in numbers.
        """,
        "test accuracy, %");
    for (Kind kind : Kind.values()) {
      for (Level level : levels()) {
        row(level.text(), kind.label, sample(kind, level, "accuracy"));
      }
    }
    row("everyone employed", "constant", majority());
    trust();
    figure("accuracy", "test accuracy, %");
    figure("calibration error", "calibration error, points");
    reliability();
    verdicts();
    verdict(
        """
        In the document: the objective "predict the unemployment rate" is not what the label gives.
        employed is 0 for whoever has no job, students and pensioners included; an unemployment rate
        is a share of those who look for one. What is learned here is who has a job.

        In the document: its algorithm 1 is right, the noise once for the sum of a lot (document
        004's copy of it has it once for each example).
        """);
    assumed(
        """
        Data: US Census PUMS, Fulton County, 25,766 people of 18 and more, as prepared for a course,
        a fifth held out by what the rows are. collegedegree is educ of 13 and more, which the
        slides do not define; blackfemale is black and sex = 1.

        The slides name neither network nor settings. Two networks; lots of 512 by Poisson sampling,
        %.1f epochs, clipping to C = 1 where no other is named, η = 2, an exponential average of the
        weights (0.99 a step), δ = 1e-5; chosen once, for no ε in particular. Intervals are over
        seeds of start, lots and noise on one fixed split.

        Calibration error: ten bins of equal width of the predicted probability, mean |predicted −
        observed| over rows. Rate error: |mean predicted − true share|.
        """,
        epochs);
    runFile(recipe(Kind.LOGISTIC, Level.ONE, epochs).yaml());
  }

  private Sample sample(Kind kind, Level level, String measure) {
    return sample(trials(kind, level), measure);
  }

  /** The same of every run, for it depends on the test rows alone. */
  private Sample majority() {
    return new Sample(
        sample(Kind.LOGISTIC, Level.PLAIN, "majority").values().stream().limit(1).toList());
  }

  private void trust() {
    PageTable table =
        table(
            "how far the probabilities can be believed, in points",
            "setting | method | calibration error | rate error | test loss");
    for (Kind kind : Kind.values()) {
      for (Level level : levels()) {
        table.row(
            level.text(),
            kind.label,
            sample(kind, level, "calibration error").text(2),
            sample(kind, level, "rate error").text(2),
            sample(kind, level, "loss").text(4));
      }
    }
  }

  private void figure(String measure, String label) {
    Picture picture = picture(measure, "PUMS employment: " + measure + " over ε", "ε", label);
    for (Kind kind : Kind.values()) {
      picture.means(
          kind.label, false, spent, Level::epsilon, level -> sample(kind, level, measure));
      picture.level(
          kind.label + ", not private",
          spent.get(0).epsilon(),
          spent.get(spent.size() - 1).epsilon(),
          sample(kind, Level.PLAIN, measure).mean());
    }
    picture.caption("The %s over ε, mean over seeds; dashed: without privacy.", measure);
  }

  /** Said against was, at three levels. */
  private void reliability() {
    Picture picture =
        picture(
            "reliability",
            "PUMS employment: what was said and what was",
            "predicted probability",
            "share employed");
    boolean some = false;
    for (Level level : List.of(Level.ONE, Level.LOOSE, Level.PLAIN)) {
      List<Trial> trials = trials(Kind.LOGISTIC, level);
      List<Double> said = meanCurve(trials, "said");
      List<Double> was = meanCurve(trials, "was");
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
          .caption(
              """
              Share employed over predicted probability in ten bins, logistic regression; dashed:
              perfect calibration.
              """);
    }
  }

  private void verdicts() {
    String fourfold = "ε = 1, C = 4 in place of C = 1, and so four times the noise, betters ";
    List<Verdict> noise = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (Level level : spent) {
        Contrast cost = against(kind, level, Level.CLIPPED, "accuracy");
        noise.add(Verdict.of("%s %s %s", kind.label, level.text(), cost.verdict(Order.BELOW)));
      }
    }
    claim("Clipping alone, without noise, costs accuracy", Level.CLIPPED, Level.PLAIN, true);
    verdicts("Noise costs accuracy beyond what clipping does, in points", noise);
    claim(fourfold + "accuracy", Level.LOOSE, Level.ONE, true);
    claim("Clipping alone, without noise, costs calibration", Level.CLIPPED, Level.PLAIN, false);
    claim(
        "The noise of ε = 1 costs calibration beyond what clipping does",
        Level.ONE,
        Level.CLIPPED,
        false);
    claim(fourfold + "calibration", Level.LOOSE, Level.ONE, false);
  }

  /** That the first costs against the second, or where it is the looser clipping, betters. */
  private void claim(String claim, Level first, Level second, boolean accuracy) {
    Order order = accuracy == (first == Level.LOOSE) ? Order.ABOVE : Order.BELOW;
    String measure = accuracy ? "accuracy" : "calibration error";
    verdicts(
        claim + ", in points",
        Stream.of(Kind.values())
            .map(
                kind ->
                    Verdict.of(
                        "%s %s", kind.label, against(kind, first, second, measure).verdict(order)))
            .toList());
  }

  private Contrast against(Kind kind, Level level, Level other, String measure) {
    return paired(trials(kind, level), trials(kind, other), measure);
  }
}
