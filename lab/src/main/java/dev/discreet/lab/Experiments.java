package dev.discreet.lab;

import dev.discreet.lab.course.EstimatedNorms;
import dev.discreet.lab.course.Kernels;
import dev.discreet.lab.course.NoiseOnly;
import dev.discreet.lab.course.TransferLearning;
import dev.discreet.lab.decay.CifarDecay;
import dev.discreet.lab.decay.MnistDecay;
import dev.discreet.lab.lecture.BadExamples;
import dev.discreet.lab.lecture.ClipGeometry;
import dev.discreet.lab.lecture.GradientSubspace;
import dev.discreet.lab.lecture.LangevinRates;
import dev.discreet.lab.lecture.PreNoise;
import java.util.List;
import java.util.stream.Collectors;

/** All experiments, in the order of the documents. */
public final class Experiments {
  private Experiments() {}

  public static List<Experiment> all() {
    return List.of(
        new MnistDecay(),
        new CifarDecay(),
        new Kernels(),
        new NoiseOnly(),
        new EstimatedNorms(),
        new TransferLearning(),
        new BadExamples(),
        new ClipGeometry(),
        new PreNoise(),
        new GradientSubspace(),
        new LangevinRates());
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
