package dev.discreet.lab;

import dev.discreet.data.Nearest;
import dev.discreet.lab.census.Pums;
import dev.discreet.lab.course.Composition;
import dev.discreet.lab.course.EstimatedNorms;
import dev.discreet.lab.course.FashionBatch;
import dev.discreet.lab.course.FashionNoise;
import dev.discreet.lab.course.FashionTradeoff;
import dev.discreet.lab.course.Kernels;
import dev.discreet.lab.course.MnistClip;
import dev.discreet.lab.course.NoiseOnly;
import dev.discreet.lab.course.Salary;
import dev.discreet.lab.course.TransferLearning;
import dev.discreet.lab.decay.CifarDecay;
import dev.discreet.lab.decay.Extreme;
import dev.discreet.lab.decay.LinearOne;
import dev.discreet.lab.decay.LinearTwo;
import dev.discreet.lab.decay.MnistDecay;
import dev.discreet.lab.lecture.BadExamples;
import dev.discreet.lab.lecture.ClipGeometry;
import dev.discreet.lab.lecture.GradientSubspace;
import dev.discreet.lab.lecture.LangevinRates;
import dev.discreet.lab.lecture.PreNoise;
import dev.discreet.lab.survey.AbadiMnist;
import dev.discreet.lab.survey.Functional;
import java.util.List;

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
        new MnistClip(),
        new Kernels(),
        new NoiseOnly(),
        new EstimatedNorms(),
        new TransferLearning(),
        new BadExamples(),
        new ClipGeometry(),
        new PreNoise(),
        new GradientSubspace(),
        new LangevinRates(),
        new Pums(),
        new Functional(),
        new AbadiMnist());
  }

  public static Experiment named(String name) {
    List<String> names = all().stream().map(Experiment::name).toList();
    return all().stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "experiment must be one of "
                        + String.join(", ", names)
                        + " (or all). Provided value: "
                        + name
                        + Nearest.to(name, names)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("")));
  }
}
