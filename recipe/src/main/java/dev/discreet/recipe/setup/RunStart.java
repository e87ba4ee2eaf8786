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

/** What a run begins with, where that is not new parameters. */
public interface RunStart {
  /** The word that stands for all layers that come from the start. */
  String WORD = "start";

  /** Which layers come from it and which are new, before anything is trained. */
  Transfer planned();

  /**
   * The parameters to begin with. A public phase is trained now.
   *
   * @param stop whether to end a public phase early
   */
  Transfer ready(Consumer<String> progress, BooleanSupplier stop);

  /** Whether it is neither private nor public, and was asked for by name. */
  default boolean notPrivate() {
    return false;
  }

  /** What it is called in the plan. */
  default String title() {
    return "start";
  }

  /** The start in words, for the plan. */
  String words();

  /** How many examples are drawn for it before the run, with repetition. */
  default double drawnBefore() {
    return 0;
  }

  /** The network that a start is put into. */
  record Into(Layout layout, boolean newHead, Initialiser initialiser, long seed) {
    Transfer from(Model source) {
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

  /** Which layers come from the start, and which are new. */
  static String layers(Transfer transfer) {
    return (transfer.newLayers().isEmpty() ? "all layers, " : "layers ")
        + String.join(", ", transfer.keptLayers())
        + (transfer.newLayers().isEmpty()
            ? ""
            : " (new: " + String.join(", ", transfer.newLayers()) + ")");
  }

  /** A model that was trained before. */
  record Given(Transfer planned, String place, boolean notPrivate) implements RunStart {
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

  /** Names of layers, with {@link #WORD} replaced by the layers of the start. */
  static List<String> expanded(List<String> layers, List<String> kept) {
    return layers.stream()
        .flatMap(layer -> layer.equals(WORD) ? kept.stream() : Stream.of(layer))
        .distinct()
        .toList();
  }
}
