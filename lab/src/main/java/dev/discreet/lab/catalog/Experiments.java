package dev.discreet.lab.catalog;

import dev.discreet.data.NearestName;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.census.PumsEmployment;
import dev.discreet.lab.course.CompositionProblem;
import dev.discreet.lab.course.ConvergenceTable;
import dev.discreet.lab.course.EstimatedNorms;
import dev.discreet.lab.course.FashionBatch;
import dev.discreet.lab.course.FashionNoise;
import dev.discreet.lab.course.FashionTradeoff;
import dev.discreet.lab.course.MnistClip;
import dev.discreet.lab.course.NoiseOnly;
import dev.discreet.lab.course.SalaryMean;
import dev.discreet.lab.course.TransferLearning;
import dev.discreet.lab.decay.CifarDecay;
import dev.discreet.lab.decay.ExtremeExample;
import dev.discreet.lab.decay.LinearDecay;
import dev.discreet.lab.decay.MnistDecay;
import dev.discreet.lab.lecture.BadExamples;
import dev.discreet.lab.lecture.ClipGeometry;
import dev.discreet.lab.lecture.GradientSubspace;
import dev.discreet.lab.lecture.LangevinRates;
import dev.discreet.lab.lecture.PreNoise;
import dev.discreet.lab.survey.AbadiMnist;
import dev.discreet.lab.survey.FunctionalRegression;
import dev.discreet.lab.utility.Utility;
import java.util.List;

/** All experiments, in the order of the documents. */
public final class Experiments {
  private Experiments() {}

  public static List<Experiment> all() {
    return List.of(
        ExtremeExample.EXPERIMENT,
        LinearDecay.ONE,
        LinearDecay.TWO,
        MnistDecay.EXPERIMENT,
        CifarDecay.EXPERIMENT,
        SalaryMean.EXPERIMENT,
        CompositionProblem.EXPERIMENT,
        FashionNoise.EXPERIMENT,
        FashionTradeoff.EXPERIMENT,
        FashionBatch.EXPERIMENT,
        MnistClip.EXPERIMENT,
        ConvergenceTable.EXPERIMENT,
        NoiseOnly.EXPERIMENT,
        EstimatedNorms.EXPERIMENT,
        TransferLearning.EXPERIMENT,
        BadExamples.EXPERIMENT,
        ClipGeometry.EXPERIMENT,
        PreNoise.EXPERIMENT,
        GradientSubspace.EXPERIMENT,
        LangevinRates.EXPERIMENT,
        PumsEmployment.EXPERIMENT,
        FunctionalRegression.EXPERIMENT,
        AbadiMnist.EXPERIMENT,
        Utility.EXPERIMENT);
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
                        + NearestName.to(name, names)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("")));
  }
}
