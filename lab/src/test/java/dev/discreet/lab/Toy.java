package dev.discreet.lab;

import dev.discreet.report.Article.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** An experiment of a test's own making: a row for each trial. */
final class Toy extends Study {
  static final Effort EFFORT = new Effort(false, OptionalInt.empty());

  private final List<Trial> all;

  private Toy(Setup setup, List<Trial> all) {
    super(setup);
    this.all = all;
  }

  static Experiment of(String name, Trial... trials) {
    return of(name, "009", List.of(trials));
  }

  static Experiment of(String name, String number, List<? extends Trial> trials) {
    return new Experiment(
        name, number, "§1", "a toy <b>of</b> tests", setup -> new Toy(setup, List.copyOf(trials)));
  }

  @Override
  protected void write() {
    question("Is it so?", "points");
    for (Trial trial : all) {
      row(trial.text(), "toy", 1.5, sample(trial, "value"), 2);
      outcomes.of(trial).ifPresent(outcome -> verdict("%s: so", Ruling.CONFIRMED.capitalised()));
    }
    figure(new Figure(name() + "-a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "a < b"));
    runFile("data: digits\n");
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
