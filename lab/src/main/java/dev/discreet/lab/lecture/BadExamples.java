package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.algorithms.geometry.ClippingBias;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.algorithms.geometry.GradientNoise;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Document 002, part 1: two losses that clipping spoils, and one that it does not. */
public final class BadExamples implements Experiment {
  private static final double CLIP = 1;
  private static final List<Double> STARTS = List.of(-6.0, -1.0, 1.0, 6.0);
  private static final double NOISE = 2;

  /** One of the two slides. */
  private record Slide(String name, ClippedQuadratic loss) {}

  private static final List<Slide> SLIDES =
      List.of(
          new Slide("bad example 1", ClippedQuadratic.badExample1()),
          new Slide("bad example 2", ClippedQuadratic.badExample2()));

  @Override
  public String name() {
    return "bad-examples";
  }

  @Override
  public String document() {
    return "002 part 1";
  }

  @Override
  public String summary() {
    return "two losses on which clipped descent misses the optimum, and E clip at x = 0.5";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Slide slide : SLIDES) {
      for (double start : STARTS) {
        all.add(trial(slide, CLIP, 0, start, 1));
      }
      all.add(trial(slide, 0, 0, STARTS.get(0), 1));
      all.addAll(noisy(slide, effort));
    }
    all.addAll(drawn(effort));
    return all;
  }

  private static Trial trial(Slide slide, double clip, double noise, double start, long seed) {
    SlideDescent descent =
        new SlideDescent(slide.loss, 1, clip, 0, noise, start, 0.05, noise > 0 ? 2000 : 800);
    return new Trial(
        descent.text() + ", seed " + seed,
        workshop -> {
          List<Double> path = descent.path(workshop, seed);
          return Outcome.of("rest", SlideDescent.rest(path))
              .with("path", Numbers.brief(path.subList(0, Math.min(path.size(), 801))))
              .with("end", path.get(path.size() - 1));
        });
  }

  private static List<Trial> noisy(Slide slide, Effort effort) {
    return effort.seeds(5).mapToObj(seed -> trial(slide, CLIP, NOISE, 0, seed)).toList();
  }

  /** The third slide by drawing. */
  private static List<Trial> drawn(Effort effort) {
    int draws = effort.pick(200_000, 1_000_000);
    return effort
        .seeds(5)
        .mapToObj(
            seed ->
                new Trial(
                    "E clip(0.5 − a, 1), a ~ N(0, 1), mean of " + draws + " draws, seed " + seed,
                    workshop -> {
                      GradientCloud cloud =
                          GradientCloud.drawn(
                              new double[] {0.5}, new GradientNoise.Gaussian(1), draws, seed);
                      ClippingBias bias = cloud.around(new double[] {0.5}).clippingBias(CLIP);
                      return Outcome.of("mean", bias.alignment() / 0.5);
                    }))
        .toList();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "Of the mean of ½(x − s)², clipped gradients can push descent away from the optimum"
                + " (example 1, s = −3, −3, 9) or leave it anywhere on a plateau (example 2, s = 3,"
                + " −3); for a symmetric distribution they point the"
                + " right way, and x = 0.5 is left as an exercise.",
            "mean of the clipped gradients, C = 1");
    // What is exact is shown beside what was run, and makes no page of its own.
    boolean some = !outcomes.of(trials(effort)).isEmpty();
    for (Slide slide : SLIDES) {
      double optimum = slide.loss.optimum();
      finding.row(
          new Row(
              slide.name + ", at the optimum x* = " + show(optimum),
              "exact",
              0,
              some ? Sample.of(slide.loss.clippedGradient(optimum, CLIP)) : Sample.of(),
              4));
    }
    String gaussian = "a ~ N(0, 1), x = 0.5 (true gradient 0.5)";
    double exact = ClippedQuadratic.ofGaussian(0.5, CLIP);
    finding.row(new Row(gaussian, "closed form", some ? Sample.of(exact) : Sample.of(), 5));
    Sample drawn = outcomes.sample(drawn(effort), "mean");
    finding.row(new Row(gaussian, "drawn", OptionalDouble.empty(), drawn, 5));
    ends(finding, effort, outcomes);
    for (Slide slide : SLIDES) {
      paths(finding, slide, outcomes);
    }
    slope(finding);
    ClippedQuadratic first = SLIDES.get(0).loss;
    double atOptimum = first.clippedGradient(first.optimum(), CLIP);
    return finding
        .verdict(
            "Bad example 1: the slide prints E[Clip] = 0 at x* = 1: "
                + (atOptimum == 0 ? "confirmed" : "refuted")
                + format(". The mean of the clipped gradients there is %.4f.", atOptimum)
                + " It must differ from 0 or nothing would push iterates away, as the slide goes on"
                + " to say: a ≠ was probably lost.")
        .verdict(
            "Bad example 1: clipped descent ends elsewhere than at 1: "
                + resting(0, outcomes)
                + ".")
        .verdict(
            "Bad example 2: clipped descent stays where it enters the plateau: "
                + resting(1, outcomes)
                + ". (The slide writes x* where it means any x of it.) With privacy's noise, from"
                + " 0, the mean of its last 1,000 steps is "
                + outcomes.sample(noisy(SLIDES.get(1), effort), "rest").text(2)
                + " over seeds.")
        .verdict(
            format(
                "The exercise: E clip(x − a) at x = 0.5, C = 1 is %.5f, %.2f of the true 0.5; drawn"
                    + " minus that, alike within 0.005: %s. It keeps the sign, as the theorem for"
                    + " symmetric noise says: its lower bound there is %.4f.",
                exact,
                exact / 0.5,
                Contrast.of(drawn, Sample.of(exact, exact)).alike(5e-3),
                // h(½)·P(|ξ| < ¼)/½
                0.25 * (1 - 2 * dev.discreet.accounting.math.Normal.tail(0.25)) / 0.5))
        .verdict(
            "Two misprints on the way: \"Distributional Approximation\" has Clip(∇f(x), C) inside"
                + " the integral over ξ, which would make the clipping bias 0 for every"
                + " distribution; Corollary 1 has the right clip(∇f + ξ, c). And the condition for"
                + " positively skewed distributions ends in \"⟨ξ, ∇f(x)⟩\" where \"> 0\" must"
                + " follow.")
        .assumed("C = 1 as on the slides; rate 0.05, full batches, starts at −6, −1, 1 and 6.")
        .assumed(
            "Descent is the trainer's own, on a network of one weight; with noise it is DP-SGD with"
                + " σ = "
                + show(NOISE)
                + ", whose place is the mean of the last 1,000 of 2,000 steps.")
        .assumed("No run file: the rows are the two or three points of the slide.")
        .build();
  }

  /** Whether clipped descent ends where clipped gradients cancel, next to where it came from. */
  private static String resting(int slide, Outcomes outcomes) {
    double[] optima = SLIDES.get(slide).loss.clippedOptima(CLIP);
    List<String> ends = new ArrayList<>();
    boolean so = true;
    for (double start : STARTS) {
      Sample end = outcomes.sample(List.of(trial(SLIDES.get(slide), CLIP, 0, start, 1)), "end");
      if (end.size() == 0) {
        return "not run yet";
      }
      double next = Math.max(optima[0], Math.min(optima[1], start));
      so &= Math.abs(end.mean() - next) < 0.01;
      ends.add(format("from %s at %.3f", show(start), end.mean()));
    }
    return (so ? "confirmed" : "refuted") + " (it ends " + String.join(", ", ends) + ")";
  }

  private static void ends(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    List<List<String>> cells = new ArrayList<>();
    for (Slide slide : SLIDES) {
      double[] optima = slide.loss.clippedOptima(CLIP);
      List<String> row = new ArrayList<>();
      row.add(slide.name);
      row.add(show(slide.loss.optimum()));
      row.add(
          optima[1] - optima[0] < 1e-6
              ? format("%.3f", optima[0])
              : format("[%.3f, %.3f]", optima[0], optima[1]));
      row.add(outcomes.sample(List.of(trial(slide, 0, 0, STARTS.get(0), 1)), "end").text(3));
      for (double start : STARTS) {
        row.add(outcomes.sample(List.of(trial(slide, CLIP, 0, start, 1)), "end").text(3));
      }
      row.add(outcomes.sample(noisy(slide, effort), "rest").text(2));
      cells.add(row);
    }
    finding.table(
        new Table(
            "Where descent ends",
            List.of(
                "loss",
                "optimum",
                "clipped gradients cancel at",
                "not clipped",
                "clipped from −6",
                "from −1",
                "from 1",
                "from 6",
                "DP-SGD from 0"),
            cells));
  }

  private void paths(Finding.Builder finding, Slide slide, Outcomes outcomes) throws IOException {
    Picture picture =
        new Picture(
                name() + "-" + slide.name.replace(' ', '-'), slide.name + ": descent", "step", "x")
            .even();
    for (double start : STARTS) {
      picture.curve(
          "clipped, from " + show(start),
          false,
          i -> i,
          path(trial(slide, CLIP, 0, start, 1), outcomes));
    }
    picture.curve(
        "not clipped", true, i -> i, path(trial(slide, 0, 0, STARTS.get(0), 1), outcomes));
    picture.into(
        finding,
        slide.name + ": x over the steps; the optimum is " + show(slide.loss.optimum()) + ".");
  }

  private static List<Double> path(Trial trial, Outcomes outcomes) {
    return outcomes.meanCurve(List.of(trial), "path");
  }

  private void slope(Finding.Builder finding) throws IOException {
    List<Double> places = IntStream.rangeClosed(-15, 15).mapToObj(i -> i / 5.0).toList();
    new Picture(name() + "-one-dimension", "E clip(x − a), a ~ N(0, 1)", "x", "slope")
        .line(
            "clipped, C = 1",
            false,
            places.stream().map(x -> new Point(x, ClippedQuadratic.ofGaussian(x, CLIP))).toList())
        .line("true", true, places.stream().map(x -> new Point(x, x)).toList())
        .into(
            finding,
            "The slope that clipped descent sees against the true one: shorter, never of another"
                + " sign.");
  }
}
