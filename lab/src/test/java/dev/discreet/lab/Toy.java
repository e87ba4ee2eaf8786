package dev.discreet.lab;

import dev.discreet.report.Article.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** An experiment of a test's own making: a row for each trial. */
record Toy(String name, String document, List<Trial> all) implements Experiment {
  static final Effort EFFORT = new Effort(false, OptionalInt.empty());

  Toy(String name, Trial... trials) {
    this(name, "009 §1", List.of(trials));
  }

  @Override
  public String summary() {
    return "a toy <b>of</b> tests";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    return all;
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) {
    Finding.Builder finding = new Finding.Builder("Is it so?", "points");
    for (Trial trial : all) {
      finding.row(new Row(trial.text(), "toy", 1.5, outcomes.sample(List.of(trial), "value"), 2));
      outcomes.of(trial).ifPresent(outcome -> finding.verdict("Confirmed: so (+1.00 ± 0.10)"));
    }
    return finding
        .figure(new Figure(name + "-a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "a < b"))
        .runFile("data: digits\n")
        .build();
  }

  /** Hears all, and may be told to stop. */
  static final class Watcher implements Laboratory.Watch {
    final List<String> lines = new ArrayList<>();
    volatile boolean stop;

    @Override
    public synchronized void say(String line) {
      lines.add(line);
    }

    @Override
    public boolean stopped() {
      return stop;
    }
  }
}
