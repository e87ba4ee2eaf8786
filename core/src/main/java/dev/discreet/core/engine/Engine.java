package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Who computes: this machine's cores, a GPU, a cluster. The two doors are kept apart; only the
 * first sees units that need protection.
 *
 * <p>Engines are found by name. A module brings its own by a class with a public constructor
 * without arguments that {@code META-INF/services/dev.discreet.core.engine.Engine} names. Which
 * engine computes, and on how many threads, never changes what a release costs.
 *
 * <pre>{@code
 * Engine engine = Engine.named("cpu").withThreads(4);
 * }</pre>
 */
@PublicApi
public interface Engine {
  /** By this name {@link #named} gives the fastest engine that this machine has. */
  String AUTO = "auto";

  /**
   * What options and run files call it: one word in lower case.
   *
   * @return the name
   */
  String name();

  /**
   * How many threads of this machine it computes on.
   *
   * @return at least 1; 0 where it computes elsewhere, on as many as there are
   */
  int threads();

  /**
   * The same engine on so many threads of this machine; one that has no use for them ignores it.
   *
   * @param threads how many, at least 1
   * @return that engine; this one stays as it is
   */
  Engine withThreads(int threads);

  /**
   * Private rows: only clipped sums come out. Data that this engine cannot reach is refused.
   *
   * @param layout the network on its input
   * @param rule what happens to a unit's gradient before it is added
   * @param data the private rows
   * @param sampler draws the units of a step
   * @param grid the integers that sums are rounded to
   * @return where a step asks for its sum
   */
  GradientSource source(Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid);

  /**
   * Private rows as the layers after fixed features see them, where this engine computes those
   * once. {@link #source} of the same network takes such rows too, and does not compute them again.
   *
   * @param layout the network on its input
   * @param data the private rows
   * @param augmentation the views that stand for an example
   * @return the rows themselves where the network has no such features, or this engine keeps none
   */
  default PrivateData features(Layout layout, PrivateData data, Augmentation augmentation) {
    return data;
  }

  /**
   * Whether {@link #features} computes features that nobody trains, and keeps them.
   *
   * @return false where it hands the rows back
   */
  default boolean keepsFeatures() {
    return false;
  }

  /**
   * Public examples: anything may come out.
   *
   * @param layout the network on its input
   * @param examples rows that need no protection; inputs that change after this may be read as they
   *     were
   * @return where gradients are asked for; to be closed
   */
  PublicGradients open(Layout layout, Examples examples);

  /**
   * Public examples of which a training step looks at several views.
   *
   * @param layout the network on its input
   * @param examples rows that need no protection; inputs that change after this may be read as they
   *     were
   * @param augmentation the views that stand for an example in {@link PublicGradients#gradientSum(
   *     float[], int[], long[], double[])}
   * @return where gradients are asked for; to be closed
   */
  default PublicGradients open(Layout layout, Examples examples, Augmentation augmentation) {
    check(augmentation);
    return open(layout, examples);
  }

  /**
   * Refuses views that this engine cannot make: all, unless it says otherwise. A run asks before
   * anything is spent.
   *
   * @param augmentation the views that stand for an example
   */
  default void check(Augmentation augmentation) {
    Check.that(
        !augmentation.hasViews(), "views", "1 with the engine " + name(), augmentation.views());
  }

  /**
   * Refuses a sampler whose lots this engine cannot draw. A run asks before anything is spent.
   *
   * @param sampler draws the units of a step
   */
  default void check(Sampler sampler) {}

  /**
   * Refuses layers and rules that this engine's private steps do not have, and a machine without
   * what they need. A run asks before anything is spent.
   *
   * @param layout the network on its input
   * @param rule what happens to a unit's gradient before it is added
   */
  default void check(Layout layout, UnitRule rule) {}

  /**
   * Whether a few steps on made-up rows of this machine tell how long a run takes. An engine on
   * other machines would have to send those rows there.
   *
   * @return whether a run may be rehearsed
   */
  default boolean rehearses() {
    return true;
  }

  /**
   * How many units a chunk of the sum should have on average. More chunks cost time to add up,
   * fewer leave cores idle and round more.
   *
   * @param layout the network on its input
   * @return units a chunk
   */
  default double unitsPerChunk(Layout layout) {
    return 32;
  }

  /**
   * Into how many buckets the units of a run are cut for good. An engine whose units lie in several
   * places has whole buckets in each.
   *
   * @return 1 where all units are in one place
   */
  default int buckets() {
    return 1;
  }

  /**
   * What whoever starts a run should know of where it would compute: settings that leave secrets
   * open to others, say.
   *
   * @return whole sentences; none where all is well
   */
  default List<String> warnings() {
    return List.of();
  }

  /**
   * Whether {@link #AUTO} means this engine on this machine: what it needs beside cores is there.
   *
   * @return false for one that runs anywhere, or must be asked for by its own name
   */
  default boolean takesOver() {
    return false;
  }

  /**
   * On what it computes, where that is not this machine's cores, as a line of a report names it.
   *
   * @return such as a device and its driver; empty for the cores
   */
  default String device() {
    return "";
  }

  /**
   * Sums over some of a run's units, for another engine that has the units of a run in several
   * places and lets this one compute in each.
   *
   * @param layout the network on its input
   * @param rule what happens to a unit's gradient before it is added
   * @param targets numbers in a target
   * @param sampler draws the units of a step, each by itself
   * @param grid the integers that sums are rounded to
   * @param lanes what {@link #lanes} was where the run was begun: the same on every machine, for
   *     the same bits
   * @return where the sum of a place is asked for; to be closed
   */
  default PartialSums partialSums(
      Layout layout, UnitRule rule, int targets, Sampler sampler, Grid grid, int lanes) {
    throw new IllegalArgumentException(
        "engine of one machine must be cpu. Provided value: " + name());
  }

  /**
   * In how many parts this engine adds up a sum of products on this machine, for the widest vectors
   * that it has. Sums have the same bits only where this is the same.
   *
   * @return at least 1
   */
  default int lanes() {
    return 1;
  }

  /**
   * The engine of this name; refuses one that is not on the class path, and a class path with two
   * engines of one name.
   *
   * @param name one of {@link #names}, or {@link #AUTO}
   * @return the engine, with its standard number of threads
   */
  static Engine named(String name) {
    if (name.equals(AUTO)) {
      return all().stream().filter(Engine::takesOver).findFirst().orElseGet(Engine::standard);
    }
    return all().stream()
        .filter(engine -> engine.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "engine must be one of " + names() + ". Provided value: " + name));
  }

  /**
   * The names of the engines on the class path, in alphabetical order.
   *
   * @return at least {@code cpu}
   */
  static List<String> names() {
    return all().stream().map(Engine::name).sorted().toList();
  }

  /**
   * The engine of a run that names none: every core of this machine.
   *
   * @return the engine {@code cpu}
   */
  static Engine standard() {
    return named("cpu");
  }

  private static List<Engine> all() {
    return EngineNames.distinct(
        ServiceLoader.load(Engine.class, Engine.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }
}
