package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.ClassBalance;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * What one model has learned as the start of another: the layers up to some point keep their
 * parameters, those after it begin anew.
 *
 * <p><b>Formal guarantee.</b> None of its own: a run accounts what its own data gives away. The
 * start is a function of other data, whose price is told by the line that its model carries. Every
 * model that is made of it carries that line on. It is called public only where a caller declares
 * so, and never where the model was itself trained privately: such a model protects someone. One
 * that is neither makes no private run: it is refused, or the run is called not private.
 *
 * <pre>{@code
 * Transfer transfer =
 *     Transfer.headReplaced(Model.load(Path.of("pretrained")), 5).declaredPublic("the digits set");
 * Trainer trainer =
 *     Trainer.of(transfer.network(), plan).startFrom(transfer).freeze(transfer.kept());
 * }</pre>
 *
 * @param network the new one, kept layers first
 * @param input the shape that the source was made for
 * @param start the first parameters of all layers, layer after layer; those of new layers are drawn
 *     afresh
 * @param keptLayers names of the layers with parameters that come from the source
 * @param newLayers names of those that begin anew
 * @param promise what the source promises
 * @param declared what the source's training data is, declared to be public; empty if not
 */
@PublicApi
public record Transfer(
    Network network,
    Shape input,
    float[] start,
    List<String> keptLayers,
    List<String> newLayers,
    ModelPrivacy promise,
    String declared) {
  /** Refuses parameters that do not fit, and a private model that is declared public. */
  public Transfer {
    start = network.on(input).check(start).clone();
    keptLayers = List.copyOf(keptLayers);
    newLayers = List.copyOf(newLayers);
    Check.that(Check.oneLine(declared), "data of the model to start from", "on one line", declared);
    Check.that(
        declared.isEmpty() || promise.protection() == ProtectedPeople.NO_ONE,
        "model to start from",
        "other than private to be declared public: it protects someone",
        promise.line());
  }

  /**
   * A copy of the parameters to begin with.
   *
   * @return the parameters, layer after layer
   */
  @Override
  public float[] start() {
    return start.clone();
  }

  /**
   * The source with a new last dense layer, of seed 0, for another number of classes.
   *
   * @param source the model that was trained before
   * @param classes how many the new task has
   * @return what a run may begin with
   */
  public static Transfer headReplaced(Model source, int classes) {
    return headReplaced(source, classes, Initialiser.PYTORCH_UNIFORM, 0);
  }

  /**
   * The source with a new last dense layer. What comes after it, and the loss, stay.
   *
   * @param source the model that was trained before
   * @param classes how many the new task has
   * @param initialiser how the new layer begins
   * @param seed of its parameters
   * @return what a run may begin with
   */
  public static Transfer headReplaced(
      Model source, int classes, Initialiser initialiser, long seed) {
    Network old = source.layout().network();
    List<Layer> layers = new ArrayList<>(old.layers());
    int head = layers.size() - 1;
    while (head > 0
        && source.layout().nodes().get(head).slices().isEmpty()
        && !(layers.get(head) instanceof Layer.Residual)) {
      head--;
    }
    Check.that(
        layers.get(head) instanceof Layer.Dense,
        "last layer with parameters",
        "dense, to be replaced",
        layers.get(head));
    layers.set(head, new Layer.Dense(classes, ((Layer.Dense) layers.get(head)).bias()));
    // Weights and threshold were declared of the classes of before.
    return of(
        source, new Network(layers, old.loss().with(ClassBalance.EVEN)), head, initialiser, seed);
  }

  /**
   * Another network whose first layers, as many as are the same, keep the source's parameters.
   *
   * @param target the network to train
   * @param source the model that was trained before
   * @param initialiser how the other layers begin
   * @param seed of their parameters
   * @return what a run may begin with
   */
  public static Transfer into(Network target, Model source, Initialiser initialiser, long seed) {
    List<Layer> old = source.layout().network().layers();
    int same = 0;
    while (same < Math.min(old.size(), target.layers().size())
        && old.get(same).equals(target.layers().get(same))) {
      same++;
    }
    return of(source, target, same, initialiser, seed);
  }

  private static Transfer of(
      Model source, Network target, int same, Initialiser initialiser, long seed) {
    Layout from = source.layout();
    Layout to = target.on(from.input());
    float[] start = to.initial(initialiser, seed);
    float[] learned = source.parameters();
    List<String> kept = new ArrayList<>();
    List<String> fresh = new ArrayList<>();
    for (Slice slice : to.slices()) {
      boolean keeps = slice.layer().place() < same;
      List<String> names = keeps ? kept : fresh;
      String layer = Integer.toString(slice.layer().place());
      if (!names.contains(layer)) {
        names.add(layer);
      }
      if (keeps) {
        // Equal layers on equal inputs, in order: a slice lies where it lay.
        System.arraycopy(learned, slice.offset(), start, slice.offset(), slice.size());
      }
    }
    Check.that(
        !kept.isEmpty(),
        "network to start from",
        "one whose first layers are those of " + target + ", with parameters",
        from.network());
    return new Transfer(target, from.input(), start, kept, fresh, source.promise(), "");
  }

  /**
   * Says that the source was trained on public data only, which then need no protection.
   *
   * @param data what they are, in a few words
   * @return that transfer; this one stays as it is
   */
  public Transfer declaredPublic(String data) {
    Check.that(!data.isBlank(), "data of the model to start from", "given", data);
    return new Transfer(network, input, start, keptLayers, newLayers, promise, data);
  }

  /**
   * The kept layers, to {@link dev.discreet.core.train.Trainer#freeze}.
   *
   * @return the names of the layers
   */
  public String[] kept() {
    return keptLayers.toArray(String[]::new);
  }

  /**
   * What the source says of itself, in one line.
   *
   * @return the line
   */
  public String privacy() {
    return promise.line();
  }

  /**
   * Whether it was declared public, or protects those whom it was trained on by its own line.
   *
   * @return false where a model made of it would not be private
   */
  public boolean isPublicOrPrivate() {
    return !declared.isEmpty() || promise.protection() == ProtectedPeople.EVERYONE;
  }

  /**
   * What a run that begins with it says of it.
   *
   * @return the origin
   */
  public Origin origin() {
    return new Origin(
        !declared.isEmpty()
            ? Origin.Standing.PUBLIC
            : promise.protection() == ProtectedPeople.EVERYONE
                ? Origin.Standing.RELEASED
                : Origin.Standing.NOT_PRIVATE,
        provenance(),
        promise.protection());
  }

  private String provenance() {
    return "Layers "
        + String.join(", ", keptLayers)
        + " began as those of a model "
        + (declared.isEmpty()
            ? "that " + Privacy.SAYS + promise.line()
            : "of data declared public (" + declared + ").");
  }

  /**
   * With a full stop, so that more can follow.
   *
   * @param text a sentence, with or without a full stop
   * @return the sentence
   */
  public static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }
}
