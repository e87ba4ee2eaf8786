package dev.discreet.core.engine.cpu.internal.layers;

import java.util.List;

/** body(x) + x, or body(x) + projection(x). */
public final class ResidualOp extends LayerOp {
  private final List<LayerOp> body;
  private final LayerOp projection;
  private final float[] bodyDIn;
  private final int inputs;
  private final int outputs;

  /**
   * @param bodyDIn where the body's first op puts its gradient by the input; null if not needed
   */
  public ResidualOp(
      List<LayerOp> body,
      LayerOp projection,
      float[] in,
      float[] dIn,
      float[] bodyDIn,
      int tile,
      int inputs,
      int outputs) {
    // The body's end and the projection see the same gradient; no op changes it.
    super(in, dIn, buffer(tile, outputs), buffer(tile, outputs));
    this.body = body;
    this.projection = projection;
    this.bodyDIn = bodyDIn;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  @Override
  public void forward(int n, TileContext context) {
    body.forEach(op -> op.forward(n, context));
    float[] beside = in;
    if (projection != null) {
      projection.forward(n, context);
      beside = projection.out;
    }
    float[] last = body.get(body.size() - 1).out;
    for (int i = 0; i < n * outputs; i++) {
      out[i] = last[i] + beside[i];
    }
  }

  @Override
  public void tangent(int n, Tangents tangents) {
    body.forEach(op -> op.tangent(n, tangents));
    if (projection != null) {
      projection.tangent(n, tangents);
    }
    float[] last = tangents.of(body.get(body.size() - 1).out);
    float[] beside = tangents.of(projection == null ? in : projection.out);
    float[] moved = tangents.of(out);
    for (int i = 0; i < n * outputs; i++) {
      moved[i] = last[i] + beside[i];
    }
  }

  @Override
  public void backward(int n, TileContext context) {
    System.arraycopy(dOut, 0, body.get(body.size() - 1).dOut, 0, n * outputs);
    for (int i = body.size() - 1; i >= 0; i--) {
      body.get(i).backward(n, context);
    }
    float[] beside = dOut;
    if (projection != null) {
      System.arraycopy(dOut, 0, projection.dOut, 0, n * outputs);
      projection.backward(n, context);
      beside = projection.dIn;
    }
    for (int i = 0; dIn != null && i < n * inputs; i++) {
      dIn[i] = bodyDIn[i] + beside[i];
    }
  }
}
