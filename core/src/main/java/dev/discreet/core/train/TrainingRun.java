package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.HeldOutScore;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.GradientTransform;
import dev.discreet.core.optimize.MovingAverage;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.OptimizerState;
import dev.discreet.core.optimize.ParameterGroups;
import dev.discreet.core.optimize.ParameterRange;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of a trainer: the loop, and all that changes in it. */
final class TrainingRun {
  static final String JOURNAL = "ledger.journal";
  private static final String CHECKPOINT = "checkpoint.safetensors";

  private final Trainer trainer;
  private final Claims claims;
  private final PrivateData data;
  private final TestSet test;
  // Null where none is asked for.
  private final HeldOutScore scoring;
  private final Layout layout;
  private final ResolvedPlan plan;
  private final int[] group;
  private final List<ParameterRange> ranges;
  private final UnitRule rule;
  private final Map<String, String> configuration;
  private final float[] theta;
  private final OptimizerState optimizer;
  private final Thresholds thresholds;
  private final MovingAverage average;
  private final Announcer audience;
  private final List<Event.Evaluated> evaluations = new ArrayList<>();
  private String mark;
  private long step;
  private boolean scored;
  private Optional<NoisyScore> heldOut = Optional.empty();

  TrainingRun(Trainer trainer, PrivateData rows, TestSet test) {
    Check.that(trainer.learningRate != null, "learning rate", "given", "none");
    this.trainer = trainer;
    // A norm is estimated of one example, so of a unit with several its first counts: a function of
    // the unit alone, where a refusal would tell of one.
    data = trainer.plan.clipping().estimated().isPresent() ? rows.atMost(1) : rows;
    this.test = test;
    audience = new Announcer(trainer, trainer.watchPrivate || !trainer.isPrivate);
    if (trainer.isPrivate) {
      rows.check(trainer.plan.neighbouring());
      trainer.plan.protects().check(rows.rowsAreUnits());
      if (test instanceof TestSet.Released released && released.units().areExamples()) {
        trainer.plan.protects().check(true);
      }
    }
    layout = trainer.network.on(data.input());
    Check.that(
        test == null || test.examples().input().equals(data.input()),
        "input of the test set",
        "that of the training set, " + data.input(),
        test == null ? null : test.examples().input());
    PrivacyPlan wanted = test == null ? trainer.plan : test.planned(trainer.plan);
    plan =
        wanted.forUnits(
            trainer.declaredUnits > 0 ? trainer.declaredUnits : Math.max(1, data.unitCount()));
    // Keys are not saved, and new ones make new groups: one of before is scattered over many then.
    Check.that(
        !trainer.isPrivate || trainer.folder == null || !plan.unit().equals(MicroBatches.UNIT),
        "checkpoints of a run that protects whole groups",
        "none: it could not be resumed, for its other part would have other groups",
        trainer.folder);
    scoring =
        trainer.isPrivate && test instanceof TestSet.Released released
            ? new HeldOutScore(released, released.mechanism(trainer.plan), plan)
            : null;
    double least = trainer.learningRate.least(0, plan.steps() - 1);
    Check.that(least >= 0, "learning rate", "at least 0 at every step", least);
    WeightDecay decay = trainer.weightDecay;
    Check.that(
        !(trainer.optimizer instanceof Optimizer.AdamW && decay.rate() > 0),
        "weight decay beside adamw",
        "adamw's own",
        decay);
    Check.that(
        trainer.transform == null || !(trainer.optimizer instanceof Optimizer.DpAdam),
        "optimizer beside a gradient transform",
        "another than dpadam, which takes the noise of an untouched gradient off",
        trainer.optimizer);
    if (trainer.optimizer instanceof Optimizer.Langevin langevin) {
      Optimizer.Langevin.checkTemperature(langevin.temperature().least(0, plan.steps() - 1));
      Optimizer.Langevin.checkTemperature(langevin.temperature().largest(0, plan.steps() - 1));
    }
    group = ParameterGroups.groups(layout, trainer.frozen, trainer.clippingGroups, plan.groups());
    ranges =
        ParameterRange.of(
            layout,
            group,
            decay.weightsOnly(),
            ParameterGroups.factors(layout, group, trainer.rateFactors));
    rule = rule();
    rule.checkNoise(trainer.noiseBeforeClipping);
    Check.that(
        isPlain()
            || plan.grid(trainer.engines.unitsPerChunk(layout)).holds(plan.lotOf(data.unitCount())),
        "declared units",
        "near the number there is, which is far larger: lots would outgrow the sensitivity of their"
            + " sums",
        plan.declaredUnits());
    Check.that(
        trainer.startInput == null || trainer.startInput.equals(layout.input()),
        "input of the examples",
        "that of the model to start from",
        layout.input());
    if (trainer.first != null) {
      Check.that(
          plan.microBatches().isEmpty(),
          "plan of a run with a first release",
          "without micro-batches (what one of them moves in that release is not accounted)",
          "micro-batches of " + plan.microBatches().map(MicroBatches::size).orElse(1));
      trainer.first.check(layout);
    }
    claims = new Claims(trainer, plan, rows);
    configuration = Configuration.of(trainer, layout, plan, group);
    if (!claims.declared().isEmpty()) {
      configuration.put("declared", claims.declared());
    }
    theta =
        trainer.start == null
            ? layout.initial(trainer.initialiser, trainer.initialSeed)
            : layout.check(trainer.start).clone();
    double outside = decay instanceof WeightDecay.Decoupled ? decay.rate() : 0;
    optimizer = new OptimizerState(trainer.optimizer, outside, theta.length, plan.groups(), ranges);
    thresholds = new Thresholds(plan);
    average =
        trainer.average.isPresent()
            ? new MovingAverage(trainer.average.getAsDouble(), theta)
            : null;
  }

  Result train(boolean resumed) {
    try (PublicGradients tested = tested();
        GradientTransform.Running transform = transform();
        PrivacySession session = session(resumed)) {
      mark = claims.carried(claims.mark(session));
      begin(session, resumed);
      try (MeanGradients gradients = gradients(session)) {
        loop(gradients, transform, tested);
      }
      releaseScore(session, tested);
      if (isOver()) {
        audience.end();
      }
      return result(session);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nobody can decide any more how long it is. One that can be resumed is not over. */
  private boolean isOver() {
    return step == plan.steps() || trainer.folder == null;
  }

  /** A bad row that is public is refused here, before anything is spent or written. */
  private PublicGradients tested() {
    if (test == null) {
      return null;
    }
    PublicGradients tested = trainer.engines.open(layout, test.examples());
    try {
      if (isPublic()) {
        Evaluation.of(tested, layout, theta, test.examples());
      }
      return tested;
    } catch (RuntimeException e) {
      tested.close();
      throw e;
    }
  }

  /** Null for none. What it refuses it refuses before anything is spent or written. */
  private GradientTransform.Running transform() {
    if (trainer.transform == null) {
      return null;
    }
    Examples known = trainer.transform.publicExamples();
    Check.that(
        known.input().equals(data.input()),
        "input of the public examples",
        "that of the training set, " + data.input(),
        known.input());
    if (!trainer.otherPeople) {
      Overlap.refuse(known, data);
    }
    if (!trainer.otherPeople && test != null && !(test instanceof TestSet.Public)) {
      Overlap.refuse(known, PrivateData.each(test.examples()));
    }
    boolean[] trainable = new boolean[theta.length];
    ranges.forEach(range -> Arrays.fill(trainable, range.from(), range.to(), true));
    return trainer.transform.open(layout, trainable, trainer.engines);
  }

  /** In a run that protects no one all may be seen. */
  private boolean isPublic() {
    return test instanceof TestSet.Public
        || (!trainer.isPrivate && test instanceof TestSet.Released);
  }

  private PrivacySession session(boolean resumed) throws IOException {
    Journal journal;
    if (trainer.folder == null && trainer.journal == null) {
      journal = Journal.inMemory(plan.neighbouring());
    } else if (trainer.folder == null) {
      Check.that(Files.notExists(trainer.journal), "journal", "a new file", trainer.journal);
      journal = Journal.file(trainer.journal, plan.neighbouring(), plan.unit());
    } else {
      Files.createDirectories(trainer.folder);
      Path path = trainer.folder.resolve(JOURNAL);
      Check.that(
          Files.exists(path) == resumed,
          "checkpoint folder",
          resumed ? "one that a run left behind" : "without an earlier run (or resume that one)",
          trainer.folder);
      journal = Journal.file(path, plan.neighbouring(), plan.unit());
    }
    Randomness randomness =
        trainer.insecureSeed.isPresent()
            ? Randomness.insecure(trainer.insecureSeed.getAsLong())
            : Randomness.secure();
    PrivacySession session =
        trainer.isPrivate
            ? PrivacySession.open(journal, randomness)
            : PrivacySession.nonPrivate(journal, randomness);
    if (trainer.watchPrivate) {
      session.watch();
    }
    return session;
  }

  private void begin(PrivacySession session, boolean resumed) throws IOException {
    Path path = resumed ? trainer.folder.resolve(CHECKPOINT) : null;
    // A run that was cut short before its first checkpoint begins anew, with what it has left.
    if (resumed && Files.exists(path)) {
      Checkpoint saved = Checkpoint.read(path, configuration);
      System.arraycopy(layout.check(saved.theta()), 0, theta, 0, theta.length);
      optimizer.restore(saved.optimizerSteps(), saved.first(), saved.second(), saved.noise());
      if (average != null) {
        average.restore(saved.averagedSteps(), saved.average());
      }
      thresholds.restore(saved.thresholds());
      step = saved.step();
      heldOut = saved.heldOut();
    }
    long inModel = step;
    session.intend(
        new LedgerFile(
                plan.ledger(),
                plan.unit(),
                plan.publicNumber(),
                trainer.declaredUnits > 0,
                new PldAccountant().name())
            .on(claims.conditions()));
    Ledger once = releaseFirst(session, resumed && Files.exists(path));
    // What was charged is spent, taken or not; and an epoch once begun is not gone on with.
    Ledger ledger = session.ledger();
    scored =
        scoring != null
            && ledger.totals().getOrDefault(scoring.mechanism(), 0L)
                > once.totals().getOrDefault(scoring.mechanism(), 0L);
    once = scored ? once.plus(scoring.mechanism(), 1) : once;
    long charges = charges(ledger) - charges(once);
    step = Math.min(plan.steps(), Math.max(step, charges * plan.sampler().stepsPerCharge()));
    Ledger planned = plan.ledger(step);
    for (Ledger.Entry entry : once.entries()) {
      planned = planned.plus(entry.mechanism(), entry.count());
    }
    Check.that(
        ledger.totals().equals(planned.totals()),
        "journal of a resumed run",
        "of " + step + " steps of its plan",
        ledger.entries());
    save();
    if (resumed) {
      audience.announce(new Event.Resumed(step, step - inModel, score()));
    }
  }

  /** As it is before the next step. */
  private Event.Score score() {
    if (scoring == null) {
      return Event.Score.NONE;
    }
    boolean kept = heldOut.isPresent() && step == plan.steps();
    return !scored ? Event.Score.TO_COME : kept ? Event.Score.KEPT : Event.Score.SPENT;
  }

  private static long charges(Ledger ledger) {
    return ledger.entries().stream().mapToLong(Ledger.Entry::count).sum();
  }

  /** Made once in all parts of a run: what was paid for and not kept is lost. */
  private Ledger releaseFirst(PrivacySession session, boolean restored) {
    Ledger none = Ledger.empty(plan.neighbouring());
    if (trainer.first == null) {
      return none;
    }
    boolean paid = charges(session.ledger()) > 0;
    Check.that(
        paid == restored,
        "checkpoint of a resumed run",
        "there, with the first release that its journal has paid for",
        restored ? "one without" : "none");
    Ledger once = none.plus(trainer.first.mechanism(), 1);
    if (!paid) {
      trainer.first.release(session, data, layout, theta);
      Check.that(
          session.ledger().totals().equals(once.totals()),
          "ledger after the first release",
          "that release alone, " + once.entries(),
          session.ledger().entries());
      if (average != null) {
        average.restore(0, theta);
      }
    }
    return once;
  }

  /** Neither clipped nor noised: the private door has nothing to do. */
  private boolean isPlain() {
    return !plan.clipping().bounds();
  }

  /** What it refuses it refuses before anything is spent. */
  private UnitRule rule() {
    WeightDecay decay = trainer.weightDecay;
    boolean[] decayed = new boolean[group.length];
    for (int i = 0; i < decayed.length; i++) {
      decayed[i] = ParameterRange.decayed(layout.slices().get(i), decay.weightsOnly());
    }
    return new UnitRule(
        plan.clipping(),
        group,
        decay instanceof WeightDecay.BeforeClipping ? decay.rate() : 0,
        decayed,
        plan.counts() > 0,
        plan.microBatches().isPresent());
  }

  private MeanGradients gradients(PrivacySession session) {
    if (isPlain()) {
      Check.that(
          !hasDropout(layout.nodes()),
          "network of a run without clipping",
          "without dropout (or give the plan a threshold)",
          layout.network());
      LocalData local = LocalData.required(data, "a run without clipping");
      return new PlainGradients(
          trainer.engines.open(layout, local.examples()),
          layout,
          local,
          plan,
          session,
          rule.decay(),
          ranges);
    }
    return new PrivateGradients(
        trainer.engines.source(
            layout,
            rule,
            plan.microBatches().map(b -> data.grouped(b, session.samplingKey())).orElse(data),
            plan.sampler(),
            plan.grid(trainer.engines.unitsPerChunk(layout))),
        session,
        plan,
        trainer.noiseBeforeClipping,
        thresholds,
        trainable());
  }

  private int trainable() {
    return ranges.stream().mapToInt(range -> range.to() - range.from()).sum();
  }

  private static boolean hasDropout(List<Layout.Node> nodes) {
    return nodes.stream()
        .anyMatch(node -> node.layer() instanceof Layer.Dropout || hasDropout(node.body()));
  }

  private void loop(
      MeanGradients gradients, GradientTransform.Running transform, PublicGradients tested)
      throws IOException {
    float[] gradient = new float[theta.length];
    double[] variances = new double[plan.groups()];
    long first = step;
    long refused = 0;
    boolean evaluated = false;
    boolean onTheWay = isPublic() || audience.seesAll();
    while (step < plan.steps() && !audience.stopped()) {
      long began = System.nanoTime();
      double rate = trainer.learningRate.at(step);
      gradients.at(step, theta, gradient, variances);
      heldOut = Optional.empty();
      if (transform != null) {
        transform.apply(step, theta, gradient);
      }
      optimizer.update(step, theta, gradient, rate, variances);
      if (average != null) {
        average.add(theta);
      }
      step++;
      double seconds = (System.nanoTime() - began) * 1e-9;
      audience.tell(
          new Event.StepDone(step, plan.steps(), rate, ParameterRange.norm(ranges, gradient)));
      if (plan.adaptive().isPresent()) {
        audience.tell(new Event.ThresholdsMoved(step, thresholds.moved()));
      }
      audience.tell(new Event.Timing(step, 1, seconds));
      if (gradients.refusedUnits() > refused) {
        refused = gradients.refusedUnits();
        audience.tell(new Event.RefusedUnits(step, refused, (step - first) * plan.expectedLot()));
      }
      long epoch = epochs(step);
      boolean wholeEpoch = epoch > epochs(step - 1);
      if (wholeEpoch) {
        audience.tell(new Event.EpochDone(step, epoch));
      }
      evaluated =
          onTheWay && (trainer.evaluateEvery == 0 ? wholeEpoch : step % trainer.evaluateEvery == 0);
      if (evaluated) {
        evaluate(tested);
      }
      if (trainer.saveEvery > 0 && step % trainer.saveEvery == 0) {
        save();
      }
    }
    if (!evaluated && (onTheWay || isOver())) {
      evaluate(tested);
    }
    save();
  }

  /** How many epochs are whole; one that a rounding keeps a hair below counts. */
  private long epochs(long steps) {
    return (long) (steps * (plan.expectedLot() / plan.sampler().units()) * (1 + 1e-12));
  }

  private float[] model() {
    return average == null ? theta : average.mean();
  }

  private void evaluate(PublicGradients tested) {
    if (tested == null) {
      return;
    }
    if (isPublic()) {
      Event.Evaluated event = new Event.Evaluated(step, evaluation(tested));
      evaluations.add(event);
      audience.tell(event);
      return;
    }
    Event.OperatorOnly event;
    try {
      event = new Event.HeldOut(step, evaluation(tested));
    } catch (RuntimeException e) {
      // The budget is spent: a bad row or a lost file must not take the model with it.
      event = new Event.NotEvaluated(step, String.valueOf(e.getMessage()));
    }
    audience.tell(event);
  }

  /**
   * Once, and charged before it is computed. Where an earlier part of this run has paid, there is
   * no second one: what it paid for is in the checkpoint, or lost, or of a model that was trained
   * on.
   */
  private void releaseScore(PrivacySession session, PublicGradients tested) throws IOException {
    if (scoring == null || scored) {
      return;
    }
    long[] refused = new long[1];
    NoisyScore score =
        scoring.release(session, tested, layout, model(), count -> refused[0] = count);
    scored = true;
    heldOut = Optional.of(score);
    save();
    audience.tell(new Event.HeldOutReleased(step, score));
    if (refused[0] > 0) {
      audience.tell(new Event.RefusedExamples(step, refused[0]));
    }
  }

  private Evaluation evaluation(PublicGradients tested) {
    return Evaluation.of(tested, layout, model(), test.examples());
  }

  private void save() throws IOException {
    if (trainer.folder != null) {
      new Checkpoint(
              configuration,
              step,
              theta,
              optimizer.steps(),
              optimizer.first,
              optimizer.second,
              optimizer.noise,
              thresholds.moved(),
              average == null ? 0 : average.steps(),
              average == null ? new float[0] : average.mean(),
              heldOut)
          .write(trainer.folder.resolve(CHECKPOINT), mark);
    }
  }

  private Result result(PrivacySession session) {
    String score =
        scored
            ? scoring.statement(plan.unit(), heldOut)
            : test instanceof TestSet.Public
                ? StatementNotes.publicTest(test.examples().size())
                : "";
    Privacy privacy = claims.privacy(session, step, score);
    return new Result(
        privacy,
        new Model(layout, model(), claims.carried(privacy.headline())),
        step,
        evaluations,
        new Provenance(configuration, claims.seeds(session), Provenance.thisVersion()),
        heldOut);
  }
}
