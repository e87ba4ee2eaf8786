package dev.discreet.audit.game;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Games with one step of training: a plan, the lot that its sampler draws, the engine's clipped sum
 * and the session's noise.
 *
 * <p>The network is one number, w·x + b with squared loss, at w = b = 0. So a row's gradient is −y
 * times (1, 1): nothing for y = 0, and clipped for |y| large.
 */
final class StepGames {
  private static final int PLAYS = 256;
  private static final float FAR = 1e6f;

  private StepGames() {}

  static List<MechanismGame> all() {
    Neighbouring added = Neighbouring.ADD_REMOVE;
    Neighbouring replaced = Neighbouring.REPLACE_ONE;
    Neighbouring zeroed = Neighbouring.ZERO_OUT;
    Rows others = new Rows().and(0).and(0).and(0).and(0);
    // Lots of fixed size: whom the person displaces pulls the other way.
    Rows against = new Rows().and(-FAR).and(-FAR).and(-FAR).and(-FAR);
    AdaptiveClipping counting = AdaptiveClipping.quantile(0.5).withCountNoise(1.5);
    return List.of(
        game(
            "step-full-batch",
            "one unit more",
            plan(1, Sampling.FULL_BATCH, added).samplingRate(1),
            4,
            others.and(FAR),
            others),
        game(
            "step-poisson",
            "one unit more",
            plan(0.7, Sampling.POISSON, added).samplingRate(0.5),
            4,
            others.and(FAR),
            others),
        game(
            "step-poisson-replace-one",
            "a gradient of C for one of -C",
            plan(1.4, Sampling.POISSON, replaced).samplingRate(0.5),
            5,
            others.and(FAR),
            others.and(-FAR)),
        game(
            "step-poisson-zero-out",
            "a gradient of C for none",
            plan(0.7, Sampling.POISSON, zeroed).samplingRate(0.5),
            5,
            others.and(FAR),
            others.and(0)),
        game(
            "step-empty-lots",
            "the only unit there is",
            plan(0.7, Sampling.POISSON, added).samplingRate(0.5),
            1,
            new Rows().and(FAR),
            new Rows()),
        game(
            "step-fixed-size",
            "one unit more, which displaces others",
            plan(1.4, Sampling.FIXED_SIZE, added).lotSize(2),
            4,
            against.and(FAR),
            against),
        game(
            "step-fixed-size-replace-one",
            "a gradient of C for one of -C",
            plan(1.4, Sampling.FIXED_SIZE, replaced).lotSize(2),
            5,
            against.and(FAR),
            against.and(-FAR)),
        game(
            "step-shuffled",
            "a gradient of C for none, in an epoch of 2 lots",
            plan(1, Sampling.SHUFFLED_EPOCHS, zeroed).lotSize(2),
            4,
            against.without(1).and(FAR),
            against.without(1).and(0)),
        game(
            "step-shuffled-replace-one",
            "a gradient of C for one of -C, in an epoch of 2 lots",
            plan(2, Sampling.SHUFFLED_EPOCHS, replaced).lotSize(2),
            4,
            against.without(1).and(FAR),
            against.without(1).and(-FAR)),
        game(
            "step-units-of-several",
            "a unit of 3 examples more",
            plan(1, Sampling.FULL_BATCH, added).samplingRate(1),
            4,
            others.and(FAR, FAR, FAR),
            others),
        game(
            "step-clipping-groups",
            "one unit more, clipped in 2 groups",
            PrivacyPlan.noise(1)
                .sampling(Sampling.FULL_BATCH)
                .neighbouring(added)
                .steps(PLAYS)
                .samplingRate(1)
                .clipGroups(0.5, 2),
            4,
            others.and(FAR),
            others),
        game(
            "step-adaptive-count",
            "a long gradient of C for a short one of nearly -C",
            plan(2, Sampling.FULL_BATCH, replaced).samplingRate(1).adaptiveClipping(counting),
            5,
            others.and(FAR),
            others.and(-0.7f)),
        game(
            "run-noise-over-time",
            "one unit more, in a run of 6 steps of which 2 share noise",
            plan(1.3, Sampling.CYCLIC, added).steps(6).lotSize(1).noiseOverTime(banded(2)),
            4,
            others.and(FAR),
            others),
        game(
            "run-noise-over-time-whole-parts",
            "a gradient of C for none, in a run of 5 steps of which 4 share noise",
            plan(1.5, Sampling.CYCLIC, zeroed).steps(5).lotSize(2).noiseOverTime(banded(4)),
            4,
            others.without(1).and(FAR),
            others));
  }

  private static NoiseOverTime banded(int bands) {
    return NoiseOverTime.banded(bands);
  }

  private static PrivacyPlanBuilder plan(double noise, Sampling sampling, Neighbouring relation) {
    return PrivacyPlan.noise(noise)
        .sampling(sampling)
        .neighbouring(relation)
        .steps(2 * PLAYS)
        .clip(1);
  }

  /**
   * Units with their targets; every x is 1.
   *
   * @param units the targets of each unit's examples
   */
  private record Rows(List<float[]> units) {
    Rows() {
      this(List.of());
    }

    Rows and(float... targets) {
      List<float[]> more = new ArrayList<>(units);
      more.add(targets);
      return new Rows(more);
    }

    Rows without(int last) {
      return new Rows(units.subList(0, units.size() - last));
    }

    PrivateData data() {
      int count = units.stream().mapToInt(targets -> targets.length).sum();
      float[] inputs = new float[count];
      float[] values = new float[count];
      long[] ids = new long[units.size()];
      int[][] examples = new int[units.size()][];
      int next = 0;
      for (int unit = 0; unit < examples.length; unit++) {
        ids[unit] = unit;
        examples[unit] = new int[units.get(unit).length];
        for (int i = 0; i < examples[unit].length; i++) {
          inputs[next] = 1;
          values[next] = units.get(unit)[i];
          examples[unit][i] = next++;
        }
      }
      return PrivateData.of(
          Examples.of(Shape.vector(1), inputs, 1, values), Units.of(ids, examples));
    }
  }

  private static MechanismGame game(
      String name, String pair, PrivacyPlanBuilder plan, int declared, Rows with, Rows without) {
    ResolvedPlan resolved = plan.build().forUnits(declared);
    boolean drawn =
        resolved.mechanism(0) instanceof Mechanism.Sampled
            || resolved.sampler().stepsPerCharge() > 1;
    // Of a run whose steps share noise, a play is all of it, in a session of its own.
    boolean whole = resolved.overTime().isPresent();
    return new MechanismGame(
        name,
        pair,
        !drawn,
        whole ? 0.25 : 1,
        present -> {
          PrivateData data = (present ? with : without).data();
          return whole ? runs(resolved, data) : play(resolved, data, PLAYS);
        });
  }

  private static Plays runs(ResolvedPlan plan, PrivateData data) {
    List<Transcript> plays = new ArrayList<>();
    Ledger ledger = Ledger.empty(plan.neighbouring());
    for (int run = 0; run < PLAYS; run++) {
      Plays one = play(plan, data, 1);
      plays.addAll(one.transcripts());
      ledger = ledger.plus(one.ledger());
    }
    return new Plays(plays, ledger);
  }

  private static Plays play(ResolvedPlan plan, PrivateData data, int count) {
    Engine engine = Engine.standard().withThreads(1);
    Layout layout = Network.parse("dense(1) loss=squared").on(data.input());
    int slices = layout.slices().size();
    int[] group = new int[slices];
    for (int i = 0; i < slices; i++) {
      group[i] = Math.min(i, plan.groups() - 1);
    }
    UnitRule rule = new UnitRule(plan.clipping(), group, 0, new boolean[slices], plan.counts() > 0);
    float[] parameters = new float[layout.parameters()];
    boolean shared = plan.overTime().isPresent();
    int together = (int) (shared ? plan.steps() : plan.sampler().stepsPerCharge());
    try (PrivacySession session = PrivacySession.open(plan.neighbouring());
        GradientSource source =
            engine.source(
                layout,
                rule,
                data,
                plan.sampler(),
                plan.grid(engine.unitsPerChunk(layout), engine.buckets()))) {
      List<Transcript> plays = new ArrayList<>();
      for (int play = 0; play < count; play++) {
        Transcript shown = null;
        for (int i = 0; i < together; i++) {
          long step = (long) play * together + i;
          Transcript next =
              SessionGames.shown(
                  session.release(
                      plan,
                      step,
                      id ->
                          source.clippedSum(
                              new StepRequest(
                                  id,
                                  parameters,
                                  plan.thresholds(step),
                                  session.samplingKey(),
                                  0))));
          shown = shown == null ? next : shown.then(next);
        }
        plays.add(shown);
      }
      return new Plays(plays, session.ledger());
    }
  }
}
