package dev.discreet.spark;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.PartialSums;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The buffers of an executor: tasks of a run take them in turns, so that an executor has as many as
 * it has tasks at a time, and not as many as partitions. Those of runs that have not been heard of
 * for long are given up.
 */
final class ExecutorBuffers {
  private static final int RUNS = 4;
  private static final Map<String, Deque<PartialSums>> FREE = new LinkedHashMap<>(16, 0.75f, true);

  private ExecutorBuffers() {}

  /** The sum over the units of one partition. */
  static StepSum sum(StepWork.Step step, PackedRows rows) {
    StepWork work = step.work();
    PartialSums sums = take(work);
    long before = sums.refusedUnits();
    StepSum found;
    try {
      work.rule().check(rows.data().units());
      ClippedSum sum = sums.clippedSum(step.request(), rows.data());
      found =
          new StepSum(
              sum.integers().clone(),
              sums.refusedUnits() - before,
              Arithmetic.digest(work.lanes()),
              rows);
    } catch (IllegalStateException | IllegalArgumentException e) {
      // A lot that is too large for its chunks, say: another attempt would find the same.
      found = StepSum.failed(e.getMessage());
    } catch (RuntimeException | Error e) {
      sums.close();
      throw e;
    }
    give(work, sums);
    return found;
  }

  private static PartialSums take(StepWork work) {
    synchronized (FREE) {
      Deque<PartialSums> free = FREE.get(work.run());
      if (free != null && !free.isEmpty()) {
        return free.pop();
      }
    }
    return work.open();
  }

  private static void give(StepWork work, PartialSums sums) {
    List<PartialSums> old = new ArrayList<>();
    synchronized (FREE) {
      FREE.computeIfAbsent(work.run(), none -> new ArrayDeque<>()).push(sums);
      while (FREE.size() > RUNS) {
        String eldest = FREE.keySet().iterator().next();
        old.addAll(FREE.remove(eldest));
      }
    }
    old.forEach(PartialSums::close);
  }
}
