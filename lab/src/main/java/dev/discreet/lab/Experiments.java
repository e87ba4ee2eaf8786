package dev.discreet.lab;

import dev.discreet.lab.course.Composition;
import dev.discreet.lab.course.FashionBatch;
import dev.discreet.lab.course.FashionNoise;
import dev.discreet.lab.course.FashionTradeoff;
import dev.discreet.lab.course.MnistClip;
import dev.discreet.lab.course.Salary;
import dev.discreet.lab.decay.CifarDecay;
import dev.discreet.lab.decay.Extreme;
import dev.discreet.lab.decay.LinearOne;
import dev.discreet.lab.decay.LinearTwo;
import dev.discreet.lab.decay.MnistDecay;
import java.util.List;
import java.util.stream.Collectors;

/** All experiments, in the order of the documents. */
public final class Experiments {
  private Experiments() {}

  public static List<Experiment> all() {
    return List.of(
        new Extreme(),
        new LinearOne(),
        new LinearTwo(),
        new MnistDecay(),
        new CifarDecay(),
        new Salary(),
        new Composition(),
        new FashionNoise(),
        new FashionTradeoff(),
        new FashionBatch(),
        new MnistClip());
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
