package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.internal.MeanGradients;
import dev.discreet.core.train.internal.PlainGradients;
import dev.discreet.core.train.internal.PrivateGradients;
import dev.discreet.core.train.internal.Thresholds;
import java.util.Arrays;
import java.util.Optional;

/** Opens where the gradients of a run's steps come from, and what changes them afterwards. */
final class StepGradients {
  private StepGradients() {}

  /**
   * @param rows those of the run, as its first release was given them
   */
  static MeanGradients of(
      PreparedRun run, PrivateData rows, PrivacySession session, Thresholds thresholds) {
    ResolvedPlan plan = run.plan();
    Layout layout = run.layout();
    if (run.isPlain()) {
      Check.that(
          !layout.hasDropout(),
          "network of a run without clipping",
          "without dropout (or give the plan a threshold)",
          layout.network());
      LocalData local = LocalData.required(run.data(), "a run without clipping");
      return new PlainGradients(
          run.engine().open(layout, local.examples(), run.rule().augmentation()),
          layout,
          local,
          plan,
          session,
          run.rule(),
          run.ranges());
    }
    return new PrivateGradients(
        run.engine()
            .source(
                layout,
                run.rule(),
                plan.microBatches()
                    .map(batches -> rows.grouped(batches, session.samplingKey()))
                    .orElse(rows),
                plan.sampler(),
                plan.grid(run.engine().unitsPerChunk(layout), run.engine().buckets())),
        session,
        plan,
        run.options().noiseBeforeClipping(),
        thresholds,
        run.ranges().stream().mapToInt(range -> range.to() - range.from()).sum());
  }

  /**
   * The gradient transform; null for none. It refuses what it cannot do before anything is spent or
   * written.
   */
  static GradientTransform.Running transform(PreparedRun run) {
    if (run.options().transform().isEmpty()) {
      return null;
    }
    GradientTransform transform = run.options().transform().get();
    Examples known = transform.publicExamples();
    Check.that(
        known.input().equals(run.data().input()),
        "input of the public examples",
        "that of the training set, " + run.data().input(),
        known.input());
    if (!run.options().otherPeople()) {
      PublicPrivateOverlap.refuse(known, run.data());
      Optional.ofNullable(run.test())
          .flatMap(TestSet::people)
          .ifPresent(rows -> PublicPrivateOverlap.refuse(known, rows));
    }
    boolean[] trainable = new boolean[run.layout().parameters()];
    run.ranges().forEach(range -> Arrays.fill(trainable, range.from(), range.to(), true));
    return transform.open(run.layout(), trainable, run.engine());
  }
}
