package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.math.Normal;
import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.algorithms.geometry.GradientNoise;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Ruling;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Verdict;
import dev.discreet.lab.Workshop;
import dev.discreet.report.LinePlot.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Document 002, part 1: two losses that clipping spoils, and one that it does not. */
public final class BadExamples extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "bad-examples",
          "002",
          "part 1",
          "two losses on which clipped descent misses the optimum, and E clip at x = 0.5",
          BadExamples::new);

  private static final double CLIP = 1;
  private static final List<Double> STARTS = List.of(-6.0, -1.0, 1.0, 6.0);
  private static final double NOISE = 2;

  /** One of the two slides. */
  private record Slide(String name, ClippedQuadratic loss) {}

  private static final List<Slide> SLIDES =
      List.of(
          new Slide("bad example 1", ClippedQuadratic.badExample1()),
          new Slide("bad example 2", ClippedQuadratic.badExample2()));

  private BadExamples(Setup setup) {
    super(setup);
  }

  private static Trial trial(Slide slide, double clip, double noise, double start, long seed) {
    return new SlideDescent(
        SlideDescent.ONE_WEIGHT,
        list(slide.loss),
        1,
        clip,
        0,
        noise,
        start,
        0.05,
        noise > 0 ? 2000 : 800,
        800,
        seed);
  }

  static List<Double> list(ClippedQuadratic loss) {
    return Arrays.stream(loss.samples()).boxed().toList();
  }

  private List<Trial> noisy(Slide slide) {
    return seeds(5, seed -> trial(slide, CLIP, NOISE, 0, seed));
  }

  private List<Trial> drawn() {
    int draws = effort.pick(200_000, 1_000_000);
    return seeds(5, seed -> new ClippedMean(0.5, 1, CLIP, draws, seed));
  }

  /** The third slide by drawing: the mean of clip(x − a), a ~ N(0, deviation²). */
  private record ClippedMean(double x, double deviation, double clip, int draws, long seed)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      double[] at = {x};
      GradientCloud cloud =
          GradientCloud.drawn(at, new GradientNoise.Gaussian(deviation), draws, seed);
      return Outcome.of("mean", cloud.around(at).clippingBias(clip).alignment() / x);
    }
  }

  @Override
  protected void write() {
    question(
        """
        Of the mean of ½(x − s)², clipped gradients can push descent away from the optimum (example
        1, s = −3, −3, 9) or leave it anywhere on a plateau (example 2, s = 3, −3); for a symmetric
        distribution they point the right way, and x = 0.5 is left as an exercise.
        """,
        "mean of the clipped gradients, C = 1");
    // What is exact is shown beside what was run, and makes no page of its own.
    Sample drawn = sample(drawn(), "mean");
    boolean some = drawn.size() > 0;
    for (Slide slide : SLIDES) {
      double optimum = slide.loss.optimum();
      row(
          slide.name + ", at the optimum x* = " + show(optimum),
          "exact",
          0,
          some ? Sample.of(slide.loss.clippedGradient(optimum, CLIP)) : Sample.of(),
          4);
    }
    String gaussian = "a ~ N(0, 1), x = 0.5 (true gradient 0.5)";
    double exact = ClippedQuadratic.ofGaussian(0.5, CLIP);
    row(gaussian, "closed form", some ? Sample.of(exact) : Sample.of(), 5);
    row(gaussian, "drawn", drawn, 5);
    ends();
    for (Slide slide : SLIDES) {
      paths(slide);
    }
    slope();
    ClippedQuadratic first = SLIDES.get(0).loss;
    double atOptimum = first.clippedGradient(first.optimum(), CLIP);
    verdict(
        """
        Bad example 1: the slide prints E[Clip] = 0 at x* = 1: %s%s It must differ from 0 or nothing
        would push iterates away, as the slide goes on to say: a ≠ was probably lost.
        """,
        Ruling.of(atOptimum == 0),
        format(". The mean of the clipped gradients there is %.4f.", atOptimum));
    verdict("Bad example 1: clipped descent ends elsewhere than at 1: %s.", resting(0));
    verdict(
        """
        Bad example 2: clipped descent stays where it enters the plateau: %s. (The slide writes x*
        where it means any x of it.) With privacy's noise, from 0, the mean of its last 1,000 steps
        is %s over seeds.
        """,
        resting(1), sample(noisy(SLIDES.get(1)), "rest").text(2));
    verdict(
        """
        The exercise: E clip(x − a) at x = 0.5, C = 1 is %.5f, %.2f of the true 0.5; drawn minus
        that, alike within 0.005: %s. It keeps the sign, as the theorem for symmetric noise says:
        its lower bound there is %.4f.
        """,
        exact,
        exact / 0.5,
        Contrast.of(drawn, Sample.of(exact, exact)).alike(5e-3), // h(½)·P(|ξ| < ¼)/½
        0.25 * (1 - 2 * Normal.tail(0.25)) / 0.5);
    verdict(
        """
        Two misprints on the way: "Distributional Approximation" has Clip(∇f(x), C) inside the
        integral over ξ, which would make the clipping bias 0 for every distribution; Corollary 1
        has the right clip(∇f + ξ, c). And the condition for positively skewed distributions ends in
        "⟨ξ, ∇f(x)⟩" where "> 0" must follow.
        """);
    assumed(
        """
        C = 1 as on the slides; rate 0.05, full batches, starts at −6, −1, 1 and 6.

        Descent is the trainer's own, on a network of one weight; with noise it is DP-SGD with σ =
        %s, whose place is the mean of the last 1,000 of 2,000 steps.

        No run file: the rows are the two or three points of the slide.
        """,
        NOISE);
  }

  /** Whether clipped descent ends where clipped gradients cancel, next to where it came from. */
  private Verdict resting(int slide) {
    double[] optima = SLIDES.get(slide).loss.clippedOptima(CLIP);
    List<String> ends = new ArrayList<>();
    boolean so = true;
    for (double start : STARTS) {
      Sample end = sample(trial(SLIDES.get(slide), CLIP, 0, start, 1), "end");
      if (end.size() == 0) {
        return Verdict.NOT_RUN;
      }
      double next = Math.max(optima[0], Math.min(optima[1], start));
      so &= Math.abs(end.mean() - next) < 0.01;
      ends.add(format("from %s at %.3f", show(start), end.mean()));
    }
    return Verdict.of("%s (it ends %s)", Ruling.of(so), String.join(", ", ends));
  }

  private void ends() {
    PageTable table =
        table(
            "Where descent ends",
            "loss | optimum | clipped gradients cancel at | not clipped | clipped from −6 | from "
                + "−1 | from 1 | from 6 | DP-SGD from 0");
    for (Slide slide : SLIDES) {
      double[] optima = slide.loss.clippedOptima(CLIP);
      List<Object> row = new ArrayList<>();
      row.add(slide.name);
      row.add(slide.loss.optimum());
      row.add(
          optima[1] - optima[0] < 1e-6
              ? format("%.3f", optima[0])
              : format("[%.3f, %.3f]", optima[0], optima[1]));
      row.add(sample(trial(slide, 0, 0, STARTS.get(0), 1), "end").text(3));
      for (double start : STARTS) {
        row.add(sample(trial(slide, CLIP, 0, start, 1), "end").text(3));
      }
      row.add(sample(noisy(slide), "rest").text(2));
      table.row(row.toArray());
    }
  }

  private void paths(Slide slide) {
    Picture picture = picture(slide.name, slide.name + ": descent", "step", "x").even();
    for (double start : STARTS) {
      picture.curve(
          "clipped, from " + show(start), false, i -> i, path(trial(slide, CLIP, 0, start, 1)));
    }
    picture.curve("not clipped", true, i -> i, path(trial(slide, 0, 0, STARTS.get(0), 1)));
    picture.caption("%s: x over the steps; the optimum is %s.", slide.name, slide.loss.optimum());
  }

  private List<Double> path(Trial trial) {
    return meanCurve(List.of(trial), "path");
  }

  private void slope() {
    List<Double> places = IntStream.rangeClosed(-15, 15).mapToObj(i -> i / 5.0).toList();
    picture("one-dimension", "E clip(x − a), a ~ N(0, 1)", "x", "slope")
        .line(
            "clipped, C = 1",
            false,
            places.stream().map(x -> new Point(x, ClippedQuadratic.ofGaussian(x, CLIP))).toList())
        .line("true", true, places.stream().map(x -> new Point(x, x)).toList())
        .caption(
            """
            The slope that clipped descent sees against the true one: shorter, never of another
            sign.
            """);
  }
}
