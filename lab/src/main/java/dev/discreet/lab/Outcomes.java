package dev.discreet.lab;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The outcomes there are, by trial, and which trials were asked for, run or not. */
public final class Outcomes {
  private final Map<String, Outcome> byText;
  private final Map<String, Trial> asked = new LinkedHashMap<>();

  public Outcomes(Map<String, Outcome> byText) {
    this.byText = Map.copyOf(byText);
  }

  /** The same outcomes, of which nothing was asked for yet. */
  Outcomes unasked() {
    return new Outcomes(byText);
  }

  int size() {
    return byText.size();
  }

  /** Each trial that was asked for, once, in the order in which they were. */
  List<Trial> asked() {
    return List.copyOf(asked.values());
  }

  public Optional<Outcome> of(Trial trial) {
    String text = trial.text();
    asked.putIfAbsent(text, trial);
    return Optional.ofNullable(byText.get(text));
  }

  /** Those of these trials that there are, in their order. */
  public List<Outcome> of(Collection<? extends Trial> trials) {
    return trials.stream().map(this::of).flatMap(Optional::stream).toList();
  }

  /** One measure of a trial as a format has it; a dash where it was not run yet. */
  public String text(Trial trial, String measure, String how) {
    return text(List.of(trial), measure, how);
  }

  /** The same of the first of these trials that was run. */
  public String text(List<Trial> trials, String measure, String how) {
    return of(trials).stream()
        .findFirst()
        .map(outcome -> Numbers.format(how, outcome.value(measure)))
        .orElse("—");
  }

  /** What the CIFAR-10 of these trials is called: with JPEG copies figures differ a little. */
  public String cifar(Collection<? extends Trial> trials) {
    List<Outcome> all = of(trials);
    long copies = all.stream().filter(o -> o.measures().containsKey(Outcome.COPIES)).count();
    return "CIFAR-10"
        + (copies == 0
            ? ""
            : copies == all.size()
                ? " (" + Outcome.COPIES + ")"
                : " (" + Outcome.COPIES + " in " + copies + " of " + all.size() + " trials)");
  }

  /** One measure over these trials, say of one setting with several seeds. */
  public Sample sample(Collection<? extends Trial> trials, String measure) {
    return Sample.of(of(trials), outcome -> outcome.value(measure));
  }

  /** The same of those that happen to be kept; it asks for none. */
  public Sample sampleOfKept(Collection<? extends Trial> trials, String measure) {
    return unasked().sample(trials, measure);
  }

  /**
   * The first minus the second of two methods on the same data, starts and lots: the i-th trial of
   * the one has the seed of the i-th of the other.
   */
  public Contrast paired(
      List<? extends Trial> first, List<? extends Trial> second, String measure) {
    return paired(first, second, outcome -> outcome.value(measure));
  }

  /** The same of what is computed from each outcome. */
  public Contrast paired(
      List<? extends Trial> first,
      List<? extends Trial> second,
      ToDoubleFunction<Outcome> measure) {
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      Optional<Outcome> one = of(first.get(i));
      Optional<Outcome> other = of(second.get(i));
      if (one.isPresent() && other.isPresent()) {
        differences.add(measure.applyAsDouble(one.get()) - measure.applyAsDouble(other.get()));
      }
    }
    return Contrast.paired(new Sample(differences));
  }

  /** A curve's mean at each point over those trials that there are; as long as the shortest. */
  public List<Double> meanCurve(Collection<? extends Trial> trials, String measure) {
    List<List<Double>> curves = of(trials).stream().map(outcome -> outcome.curve(measure)).toList();
    int length = curves.stream().mapToInt(List::size).min().orElse(0);
    return IntStream.range(0, length)
        .mapToObj(i -> curves.stream().mapToDouble(curve -> curve.get(i)).average().orElseThrow())
        .toList();
  }
}
