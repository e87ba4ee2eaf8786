package dev.discreet.core.engine;

import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;

/** Units of a lot, and each one's secret bits in this release. */
public record DrawnLot(int[] units, long[] choices) {
  /**
   * A lot sorted by chunk; inside a chunk in its order. A chunk beyond its capacity is refused: the
   * sensitivity does not allow for it.
   *
   * @param chunkEnds receives where each chunk of the grid ends
   */
  public static DrawnLot byChunk(
      StepRequest request, Units units, int[] lot, Grid grid, int[] chunkEnds) {
    long[] choices = request.key().choices(request.release(), units, lot);
    int[] chunks = grid.chunks(request.key(), units, lot, choices);
    Arrays.fill(chunkEnds, 0);
    for (int chunk : chunks) {
      chunkEnds[chunk]++;
    }
    int end = 0;
    for (int c = 0; c < chunkEnds.length; c++) {
      if (chunkEnds[c] > grid.capacity()) {
        throw new IllegalStateException(
            "a chunk of the lot has more units than the sensitivity allows for; the step was"
                + " refused");
      }
      int size = chunkEnds[c];
      chunkEnds[c] = end;
      end += size;
    }
    DrawnLot sorted = new DrawnLot(new int[lot.length], new long[lot.length]);
    for (int i = 0; i < lot.length; i++) {
      int place = chunkEnds[chunks[i]]++;
      sorted.units[place] = lot[i];
      sorted.choices[place] = choices[i];
    }
    return sorted;
  }
}
