package dev.discreet.spark;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicRows;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;

/** Looks for public rows among the private ones of a partition. */
record RowSearch(Shape input, int targets, PublicRows wanted) {
  private static final int BATCH = 1024;

  /** The index of a public row that is here too; −1 where there is none. */
  int in(Iterator<UnitRow> rows) {
    while (rows.hasNext()) {
      List<float[]> batch = new ArrayList<>();
      while (rows.hasNext() && batch.size() < BATCH) {
        float[] values = rows.next().values();
        if (values != null) {
          batch.add(values);
        }
      }
      OptionalInt found = wanted.findIn(examples(batch));
      if (found.isPresent()) {
        return found.getAsInt();
      }
    }
    return -1;
  }

  private Examples examples(List<float[]> batch) {
    float[] inputs = new float[batch.size() * input.size()];
    float[] answers = new float[batch.size() * targets];
    for (int i = 0; i < batch.size(); i++) {
      System.arraycopy(batch.get(i), 0, inputs, i * input.size(), input.size());
      System.arraycopy(batch.get(i), input.size(), answers, i * targets, targets);
    }
    return Examples.of(input, inputs, targets, answers);
  }
}
