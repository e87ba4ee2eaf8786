package dev.discreet.cuda;

import com.sun.jna.Pointer;

/** A part of a lot as kernels read it: one block of memory on the host, and one on the device. */
final class PartBlock {
  private static final int INTS = 8;

  private final Pointer host;
  private final long device;
  private final long size;
  private final long thresholdsAt;
  private final long rowAt;
  private final long choiceAt;
  private final long ordinalAt;
  private final long firstAt;
  private final long countAt;
  private final long slotAt;
  private final long divideAt;
  private final long partlyAt;
  private final long chunkEndAt;
  private long next;

  PartBlock(DeviceMemory memory, int mostExamples, int chunks, int groups) {
    room(INTS * 4L);
    thresholdsAt = room(8L * groups);
    choiceAt = room(8L * mostExamples);
    rowAt = room(4L * mostExamples);
    ordinalAt = room(4L * mostExamples);
    firstAt = room(4L * mostExamples);
    countAt = room(4L * mostExamples);
    slotAt = room(4L * mostExamples);
    divideAt = room(4L * mostExamples);
    partlyAt = room(4L * mostExamples);
    chunkEndAt = room(4L * (Math.min(chunks, mostExamples) + 2));
    size = next;
    host = memory.pin(size);
    device = memory.allocate(size);
  }

  private long room(long bytes) {
    long at = next;
    next += (bytes + 15) / 16 * 16;
    return at;
  }

  /** The device must be done with what was sent before. */
  void send(DeviceMemory memory, LotPart part, int exponent, boolean noisy, double[] thresholds) {
    int[] head = {
      part.examples,
      part.members,
      part.chunks,
      part.openIn,
      part.openOut,
      part.begins ? 1 : 0,
      noisy ? 1 : 0,
      Float.floatToRawIntBits(Math.scalb(1f, -exponent))
    };
    host.write(0, head, 0, INTS);
    host.write(thresholdsAt, thresholds, 0, thresholds.length);
    host.write(choiceAt, part.choice, 0, part.examples);
    host.write(rowAt, part.row, 0, part.examples);
    host.write(ordinalAt, part.ordinal, 0, part.examples);
    host.write(firstAt, part.first, 0, part.members);
    host.write(countAt, part.count, 0, part.members);
    host.write(slotAt, part.slot, 0, part.members);
    host.write(divideAt, part.divide, 0, part.members);
    host.write(partlyAt, part.partly, 0, part.members);
    host.write(chunkEndAt, part.chunkEnd, 0, part.chunks);
    memory.toDevice(device, host, size);
  }

  long head() {
    return device;
  }

  long thresholds() {
    return device + thresholdsAt;
  }

  long choice() {
    return device + choiceAt;
  }

  long row() {
    return device + rowAt;
  }

  long ordinal() {
    return device + ordinalAt;
  }

  long first() {
    return device + firstAt;
  }

  long count() {
    return device + countAt;
  }

  long slot() {
    return device + slotAt;
  }

  long divide() {
    return device + divideAt;
  }

  long partly() {
    return device + partlyAt;
  }

  long chunkEnd() {
    return device + chunkEndAt;
  }
}
