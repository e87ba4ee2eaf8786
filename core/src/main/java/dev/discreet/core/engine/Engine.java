package dev.discreet.core.engine;

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

  /**
   * What options and run files call it: one word in lower case.
   *
   * @return the name
   */
  String name();

  /**
   * How many threads of this machine it computes on.
   *
   * @return at least 1
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
   * Public examples: anything may come out.
   *
   * @param layout the network on its input
   * @param examples rows that need no protection
   * @return where gradients are asked for; to be closed
   */
  PublicGradients open(Layout layout, Examples examples);

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
   * The engine of this name; refuses one that is not on the class path, and a class path with two
   * engines of one name.
   *
   * @param name one of {@link #names}
   * @return the engine, with its standard number of threads
   */
  static Engine named(String name) {
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
