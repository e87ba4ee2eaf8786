package dev.discreet.lab;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The outcomes there are, by trial. */
public record Outcomes(Map<String, Outcome> byText) {
  public Outcomes {
    byText = Map.copyOf(byText);
  }

  public Optional<Outcome> of(Trial trial) {
    return Optional.ofNullable(byText.get(trial.text()));
  }

  /** Those of these trials that there are, in their order. */
  public List<Outcome> of(Collection<Trial> trials) {
    return trials.stream().map(this::of).flatMap(Optional::stream).toList();
  }

  /** One measure over these trials, say of one setting with several seeds. */
  public Sample sample(Collection<Trial> trials, String measure) {
    return new Sample(of(trials).stream().map(outcome -> outcome.value(measure)).toList());
  }

  /** A curve's mean at each point over those trials that there are; as long as the shortest. */
  public List<Double> meanCurve(Collection<Trial> trials, String measure) {
    List<List<Double>> curves = of(trials).stream().map(outcome -> outcome.curve(measure)).toList();
    int length = curves.stream().mapToInt(List::size).min().orElse(0);
    return java.util.stream.IntStream.range(0, length)
        .mapToObj(i -> curves.stream().mapToDouble(curve -> curve.get(i)).average().orElseThrow())
        .toList();
  }
}
