package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Where a run begins that does not begin with new parameters. */
public interface Start {
  /** Stands for all layers that come from the start. */
  String WORD = "start";

  /** Which layers come from it and which are new, before anything is trained. */
  Transfer planned();

  /**
   * The start itself; what is to be trained for it is trained now.
   *
   * @param stop whether to go on with what there is
   */
  Transfer ready(Consumer<String> progress, BooleanSupplier stop);

  /** Whether it is taken by name though it is neither private nor public. */
  default boolean notPrivate() {
    return false;
  }

  /** For the plan. */
  String words();

  /** What is the same in every kind of start: where a head ends and what is new. */
  record Into(Layout layout, boolean newHead, Initialiser initialiser, long seed) {
    public Transfer from(Model source) {
      Network network = layout.network();
      Check.that(
          source.layout().input().equals(layout.input()),
          "input of the model to start from",
          "that of this run, " + layout.input(),
          source.layout().input());
      if (!newHead) {
        return Transfer.into(network, source, initialiser, seed);
      }
      Transfer transfer = Transfer.headReplaced(source, layout.outputs(), initialiser, seed);
      Check.that(
          transfer.network().equals(network),
          "network to start from",
          "that of this run but for its head, " + network,
          source.layout().network());
      return transfer;
    }
  }

  /** Which layers are which. */
  static String layers(Transfer transfer) {
    return (transfer.newLayers().isEmpty() ? "all layers, " : "layers ")
        + String.join(", ", transfer.keptLayers())
        + (transfer.newLayers().isEmpty()
            ? ""
            : " (new: " + String.join(", ", transfer.newLayers()) + ")");
  }

  /** A model that is there. */
  record Given(Transfer planned, String place, boolean notPrivate) implements Start {
    @Override
    public Transfer ready(Consumer<String> progress, BooleanSupplier stop) {
      return planned;
    }

    @Override
    public String words() {
      return layers(planned)
          + " from "
          + place
          + (planned.declared().isEmpty()
              ? ", which says of itself: " + planned.privacy()
              : ", of data declared public: " + planned.declared());
    }
  }

  /** Names of layers, with those of the start in place of its word. */
  static List<String> expanded(List<String> layers, List<String> kept) {
    return layers.stream()
        .flatMap(layer -> layer.equals(WORD) ? kept.stream() : Stream.of(layer))
        .distinct()
        .toList();
  }
}
