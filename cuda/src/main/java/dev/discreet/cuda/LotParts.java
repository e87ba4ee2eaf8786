package dev.discreet.cuda;

import dev.discreet.core.engine.DrawnLot;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Cuts a lot into parts that fit the device. A part ends between two units, and a unit with more
 * examples than fit goes by itself, so many at a time. Where parts end changes no bit of the sum.
 */
final class LotParts {
  private final int mostExamples;
  private final int mostSlots;
  private final boolean allWritten;
  private final boolean averaged;
  private final Units units;
  private final IntUnaryOperator rowOf;
  private final List<LotPart> parts = new ArrayList<>();
  private LotPart part = new LotPart();

  /** Whether the present chunk has members in this part, or a running sum of earlier ones. */
  private boolean started;

  private long refused;

  /**
   * @param mostExamples in a part
   * @param mostSlots members of a part that are written out
   * @param allWritten whether every member is
   * @param averaged whether a unit's gradient is a mean
   * @param rowOf the place of an example among the rows; negative where it is of no use
   */
  LotParts(
      int mostExamples,
      int mostSlots,
      boolean allWritten,
      boolean averaged,
      Units units,
      IntUnaryOperator rowOf) {
    this.mostExamples = mostExamples;
    this.mostSlots = mostSlots;
    this.allWritten = allWritten;
    this.averaged = averaged;
    this.units = units;
    this.rowOf = rowOf;
  }

  /** Units with examples that are of no use, so far. */
  long refused() {
    return refused;
  }

  /**
   * @param chunkEnds where each chunk ends in the lot
   */
  List<LotPart> of(DrawnLot lot, int[] chunkEnds) {
    int i = 0;
    for (int end : chunkEnds) {
      started = false;
      for (; i < end; i++) {
        member(lot.units()[i], lot.choices()[i]);
      }
      if (started) {
        part.endChunk();
      }
    }
    if (part.chunks > 0) {
      parts.add(part);
    }
    return parts;
  }

  private void member(int unit, long choice) {
    int size = units.size(unit);
    int usable = 0;
    for (int i = 0; i < size; i++) {
      usable += rowOf.applyAsInt(units.example(unit, i)) >= 0 ? 1 : 0;
    }
    boolean partly = usable < size;
    refused += partly ? 1 : 0;
    if (usable == 0) {
      return;
    }
    // How a unit is computed depends on itself alone.
    boolean written = allWritten || size > 1;
    float share = averaged && size > 1 ? 1f / size : 1;
    if (usable > mostExamples) {
      cut();
      several(unit, choice, usable, share, partly);
      return;
    }
    if (part.examples + usable > mostExamples || (written && part.slots == mostSlots)) {
      cut();
    }
    part.member(unit, choice, usable, written, share, partly);
    for (int i = 0; i < size; i++) {
      int row = rowOf.applyAsInt(units.example(unit, i));
      if (row >= 0) {
        part.example(row, choice, i);
      }
    }
    started = true;
  }

  /** A unit by itself, in passes. */
  private void several(int unit, long choice, int usable, float share, boolean partly) {
    int passed = 0;
    int i = 0;
    while (passed < usable) {
      int here = Math.min(mostExamples, usable - passed);
      part.member(unit, choice, here, true, share, partly);
      while (part.examples < here) {
        int row = rowOf.applyAsInt(units.example(unit, i));
        if (row >= 0) {
          part.example(row, choice, i);
        }
        i++;
      }
      part.begins = passed == 0;
      passed += here;
      part.ends = passed == usable;
      if (!part.ends) {
        parts.add(part);
        int openIn = part.openIn;
        part = new LotPart();
        part.openIn = openIn;
      }
    }
    started = true;
    cut();
  }

  /** Ends the part, in the middle of a chunk where that has begun. */
  private void cut() {
    if (part.members == 0 && part.chunks == 0) {
      return;
    }
    LotPart next = new LotPart();
    if (started) {
      part.endChunk();
      boolean same = part.chunks == 1 && part.openIn >= 0;
      part.openOut = same || part.openIn < 0 ? Math.max(0, part.openIn) : 1 - part.openIn;
      next.openIn = part.openOut;
    }
    parts.add(part);
    part = next;
  }
}
