package dev.discreet.core.train;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.files.JsonFields;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a listener hears. The type says who may see it: {@link Released} holds only what went
 * through the privacy session or was public before; {@link OperatorOnly} depends on private rows
 * unprotected, is outside the guarantee, and belongs on the operator's console and nowhere else. Of
 * a private run it is told after the last step, unless {@link Trainer#watchPrivate} asks for it.
 *
 * <pre>{@code
 * Trainer told =
 *     trainer.listener(
 *         event -> {
 *           if (event instanceof Event.StepDone done) {
 *             System.out.println(done.step() + " of " + done.steps());
 *           }
 *         });
 * }</pre>
 */
@PublicApi
public sealed interface Event {

  /**
   * Steps done so far.
   *
   * @return at least 0
   */
  long step();

  /**
   * Tells a visitor which kind of event this is.
   *
   * @param visitor hears it
   */
  void accept(Visitor visitor);

  /**
   * Whoever has something to say of every kind of event. A new kind is a new method, so that every
   * visitor fails to compile until it knows it. A listener that looks for one kind needs none.
   */
  interface Visitor {
    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void resumed(Resumed event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void stepDone(StepDone event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void thresholdsMoved(ThresholdsMoved event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void epochDone(EpochDone event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void evaluated(Evaluated event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void heldOutReleased(HeldOutReleased event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void heldOut(HeldOut event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void notEvaluated(NotEvaluated event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void refusedExamples(RefusedExamples event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void timing(Timing event);

    /**
     * Hears one kind.
     *
     * @param event what happened
     */
    void refusedUnits(RefusedUnits event);
  }

  /** May be written to files and shown to anyone. */
  sealed interface Released extends Event {}

  /** Outside the guarantee: for the operator's eyes. */
  sealed interface OperatorOnly extends Event {

    /**
     * What is told where only one event of each kind is: this one, or one made of both.
     *
     * @param earlier of the same kind
     * @return this one, unless both together say more
     */
    default OperatorOnly after(OperatorOnly earlier) {
      return this;
    }
  }

  /** What became of the one score on held-out rows in the earlier parts of a run. */
  enum Score {
    /** None is planned. */
    NONE,
    /** It will be released after the last step. */
    TO_COME,
    /** It was released, and the model is still the one that was scored. */
    KEPT,
    /** It was paid for, and is lost, or the scored model is trained further: there will be none. */
    SPENT
  }

  /**
   * A run that was cut short goes on after this step. Told once, before the next one.
   *
   * @param step the last one that the model has taken
   * @param lost how many steps were charged and are not in the model: they stay charged, and are
   *     not taken again
   * @param score what became of the score on held-out rows
   */
  record Resumed(long step, long lost, Score score) implements Released {
    @Override
    public void accept(Visitor visitor) {
      visitor.resumed(this);
    }
  }

  /**
   * A step was taken.
   *
   * @param step how many were taken so far, this one included
   * @param steps how many the run will have
   * @param learningRate η of this step
   * @param noisyGradientNorm the norm of what the session released, divided by the expected lot,
   *     after the gradient transform where there is one
   */
  record StepDone(long step, long steps, double learningRate, double noisyGradientNorm)
      implements Released {
    @Override
    public void accept(Visitor visitor) {
      visitor.stepDone(this);
    }
  }

  /**
   * A step of adaptive clipping was taken: the thresholds that its noised counts gave, one for each
   * clipping group.
   *
   * @param step how many were taken so far
   * @param thresholds from the next step on
   */
  record ThresholdsMoved(long step, List<Double> thresholds) implements Released {
    /** Copies the list. */
    public ThresholdsMoved {
      thresholds = List.copyOf(thresholds);
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.thresholdsMoved(this);
    }
  }

  /**
   * An epoch is over: as many units were expected to be drawn since the last one as there are.
   *
   * @param step how many were taken so far
   * @param epoch how many are over, from 1
   */
  record EpochDone(long step, long epoch) implements Released {
    @Override
    public void accept(Visitor visitor) {
      visitor.epochDone(this);
    }
  }

  /**
   * The result on rows that were declared public.
   *
   * @param step how many the evaluated model has taken
   * @param evaluation its figures
   */
  record Evaluated(long step, Evaluation evaluation) implements Released {
    @Override
    public void accept(Visitor visitor) {
      visitor.evaluated(this);
    }

    /** As {@code run.json} and a checkpoint have it. */
    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("step", step);
      fields.putAll(evaluation.fields());
      return fields;
    }

    static Evaluated read(JsonFields fields) {
      return new Evaluated(fields.whole("step"), Evaluation.read(fields));
    }
  }

  /**
   * The result on held-out rows, with noise and on the ledger; once a run.
   *
   * @param step how many the scored model has taken
   * @param score with the deviation of its noise
   */
  record HeldOutReleased(long step, NoisyScore score) implements Released {
    @Override
    public void accept(Visitor visitor) {
      visitor.heldOutReleased(this);
    }
  }

  /**
   * The result on rows that were not declared public.
   *
   * @param step how many the evaluated model has taken
   * @param evaluation its figures, without noise
   */
  record HeldOut(long step, Evaluation evaluation) implements OperatorOnly {
    @Override
    public void accept(Visitor visitor) {
      visitor.heldOut(this);
    }
  }

  /**
   * There is no result on rows that were not declared public, because one of them cannot be used.
   *
   * @param step how many were taken so far
   * @param reason what is wrong with that row
   */
  record NotEvaluated(long step, String reason) implements OperatorOnly {
    @Override
    public void accept(Visitor visitor) {
      visitor.notEvaluated(this);
    }
  }

  /**
   * Some held-out examples could not be used, and scored 0.
   *
   * @param step how many were taken so far
   * @param examples how many
   */
  record RefusedExamples(long step, long examples) implements OperatorOnly {
    @Override
    public void accept(Visitor visitor) {
      visitor.refusedExamples(this);
    }
  }

  /**
   * How long the last steps took, which tells of the sizes of the drawn lots.
   *
   * @param step how many were taken so far
   * @param steps how many steps took that time
   * @param seconds by the clock
   * @param phases how many of them each part of the steps took; together all
   */
  record Timing(long step, long steps, double seconds, Map<StepPhase, Double> phases)
      implements OperatorOnly {
    /** Copies the map. */
    public Timing {
      Map<StepPhase, Double> copy = new EnumMap<>(StepPhase.class);
      copy.putAll(phases);
      phases = Collections.unmodifiableMap(copy);
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.timing(this);
    }

    @Override
    public OperatorOnly after(OperatorOnly earlier) {
      if (!(earlier instanceof Timing before)) {
        return this;
      }
      Map<StepPhase, Double> together = new EnumMap<>(StepPhase.class);
      together.putAll(before.phases);
      phases.forEach((phase, took) -> together.merge(phase, took, Double::sum));
      return new Timing(step, before.steps + steps, before.seconds + seconds, together);
    }
  }

  /**
   * How often a unit counted as zero, whole or in part, since the run began: an example of it could
   * not be used, or its gradient was not finite.
   *
   * @param step how many were taken so far
   * @param units how often; a unit counts once for each lot in which it was refused
   * @param expected how many were drawn since, on average: where as many counted as zero, no row
   *     can be read at all
   */
  record RefusedUnits(long step, long units, double expected) implements OperatorOnly {
    @Override
    public void accept(Visitor visitor) {
      visitor.refusedUnits(this);
    }
  }
}
