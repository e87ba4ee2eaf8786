package dev.discreet.spark.ml;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.util.TaskCompletionListener;

/**
 * What a network says of rows, on an executor.
 *
 * @param low what an output of 0 stands for, where a number is predicted
 * @param width how far an output of 1 is from it
 * @param at the place of the features in a row
 */
record RowPredictions(
    Layout layout,
    float[] parameters,
    double low,
    double width,
    FeatureReader features,
    int at,
    boolean raw,
    boolean probability,
    boolean prediction)
    implements Serializable {
  private static final int BATCH = 256;

  /** The rows of a partition, in a task, which closes the engine when it ends. */
  Iterator<Row> of(Iterator<Row> rows) {
    // A view: each batch writes its own rows there.
    float[] inputs = new float[BATCH * layout.input().size()];
    PublicGradients engine = open(inputs);
    TaskCompletionListener end = task -> engine.close();
    TaskContext.get().addTaskCompletionListener(end);
    return new Iterator<>() {
      private Iterator<Row> ready = List.<Row>of().iterator();

      @Override
      public boolean hasNext() {
        return ready.hasNext() || rows.hasNext();
      }

      @Override
      public Row next() {
        if (!ready.hasNext()) {
          List<Row> batch = new ArrayList<>(BATCH);
          while (batch.size() < BATCH && rows.hasNext()) {
            batch.add(rows.next());
          }
          ready = said(batch, engine, inputs).iterator();
        }
        return ready.next();
      }
    };
  }

  private PublicGradients open(float[] inputs) {
    return Engine.named("cpu")
        .withThreads(1)
        .open(layout, Examples.of(layout.input(), inputs, 1, new float[BATCH]));
  }

  /** Features are those that the inputs had when they were opened. */
  private float[] predicted(PublicGradients engine, float[] inputs, int[] rows) {
    if (layout.afterFeatures() == layout) {
      return engine.predict(parameters, rows);
    }
    try (PublicGradients anew = open(inputs)) {
      return anew.predict(parameters, rows);
    }
  }

  private List<Row> said(List<Row> batch, PublicGradients engine, float[] inputs) {
    int size = layout.input().size();
    int outputs = layout.outputs();
    int[] place = new int[batch.size()];
    int fitting = 0;
    for (int i = 0; i < batch.size(); i++) {
      float[] read = features.read(batch.get(i).get(at));
      place[i] = read == null ? -1 : fitting++;
      if (read != null) {
        System.arraycopy(read, 0, inputs, place[i] * size, size);
      }
    }
    float[] found = new float[0];
    if (fitting > 0) {
      int[] all = new int[fitting];
      java.util.Arrays.setAll(all, i -> i);
      found = predicted(engine, inputs, all);
    }
    List<Row> said = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      double[] output = null;
      if (place[i] >= 0) {
        output = new double[outputs];
        for (int k = 0; k < outputs; k++) {
          output[k] = found[place[i] * outputs + k];
        }
      }
      said.add(with(batch.get(i), output));
    }
    return said;
  }

  /**
   * @param output null where the row does not fit
   */
  private Row with(Row row, double[] output) {
    List<Object> cells = new ArrayList<>(row.size() + 3);
    for (int i = 0; i < row.size(); i++) {
      cells.add(row.get(i));
    }
    double[] values = output == null ? null : layout.network().loss().prediction(output);
    if (raw) {
      cells.add(
          output == null
              ? null
              // One output tells two classes apart by its sign.
              : output.length == values.length
                  ? Vectors.dense(output)
                  : Vectors.dense(new double[] {-output[0], output[0]}));
    }
    if (probability) {
      cells.add(values == null ? null : Vectors.dense(values));
    }
    if (prediction) {
      cells.add(
          values == null
              ? null
              : values.length > 1
                  ? (Object) (double) layout.network().loss().balance().taken(output)
                  : (Object) (low + width * values[0]));
    }
    return RowFactory.create(cells.toArray());
  }
}
