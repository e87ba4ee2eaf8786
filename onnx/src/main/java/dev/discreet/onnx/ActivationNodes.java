package dev.discreet.onnx;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.ActivationVisitor;
import dev.discreet.onnx.OnnxGraph.Attributes;
import java.util.List;

/** The operators of one activation; the answer is the name of what comes out. */
record ActivationNodes(OnnxGraph graph, String label, String in)
    implements ActivationVisitor<String> {

  @Override
  public String relu(Activation.Relu activation) {
    return graph.node(label, "Relu", in);
  }

  @Override
  public String leakyRelu(Activation.LeakyRelu activation) {
    return graph.node(
        label, "LeakyRelu", List.of(in), Attributes.of("alpha", (float) activation.slope()));
  }

  @Override
  public String elu(Activation.Elu activation) {
    return graph.node(
        label, "Elu", List.of(in), Attributes.of("alpha", (float) activation.alpha()));
  }

  /** x·½(1 + erf(x/√2)): the operator {@code Gelu} came to ONNX too late for many runtimes. */
  @Override
  public String gelu(Activation.Gelu activation) {
    String scaled = times(in, Math.sqrt(0.5));
    String error = graph.node(label, "Erf", scaled);
    String share = graph.node(label, "Add", error, graph.number(label + "/one", 1));
    return graph.node(label, "Mul", in, times(share, 0.5));
  }

  @Override
  public String tanh(Activation.Tanh activation) {
    return graph.node(label, "Tanh", in);
  }

  @Override
  public String sigmoid(Activation.Sigmoid activation) {
    return graph.node(label, "Sigmoid", in);
  }

  @Override
  public String temperedSigmoid(Activation.TemperedSigmoid activation) {
    String share = graph.node(label, "Sigmoid", times(in, activation.temperature()));
    return graph.node(
        label,
        "Sub",
        times(share, activation.scale()),
        graph.number(label + "/offset", (float) activation.offset()));
  }

  private String times(String value, double factor) {
    return graph.node(label, "Mul", value, graph.number(label + "/factor", (float) factor));
  }
}
