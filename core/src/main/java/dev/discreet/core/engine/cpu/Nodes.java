package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import java.util.List;
import java.util.stream.Stream;

/** Walks over a layout. */
final class Nodes {
  private Nodes() {}

  /** Every node, those inside of residual blocks too. */
  static List<Node> all(Layout layout) {
    return layout.nodes().stream().flatMap(Nodes::withInner).toList();
  }

  private static Stream<Node> withInner(Node node) {
    Stream<Node> inner = node.body().stream().flatMap(Nodes::withInner);
    return Stream.of(
            Stream.of(node),
            inner,
            node.projection() == null ? Stream.<Node>empty() : Stream.of(node.projection()))
        .flatMap(s -> s);
  }
}
