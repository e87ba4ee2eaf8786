package dev.discreet.lab;

import dev.discreet.lab.decay.CifarDecay;
import dev.discreet.lab.decay.MnistDecay;
import dev.discreet.lab.lecture.BadExamples;
import java.util.List;
import java.util.stream.Collectors;

/** All experiments, in the order of the documents. */
public final class Experiments {
  private Experiments() {}

  public static List<Experiment> all() {
    return List.of(new MnistDecay(), new CifarDecay(), new BadExamples());
  }

  public static Experiment named(String name) {
    return all().stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "experiment must be one of "
                        + all().stream().map(Experiment::name).collect(Collectors.joining(", "))
                        + ". Provided value: "
                        + name));
  }
}
