package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** By its name a run finds its engine, so no two may have the same. */
final class EngineNames {
  private EngineNames() {}

  /** The same engines. Two of one name are refused: the order of jars would choose between them. */
  static List<Engine> distinct(List<Engine> engines) {
    Map<String, Engine> known = new HashMap<>();
    for (Engine each : engines) {
      Check.that(
          !each.name().equals(Engine.AUTO), "name of an engine", "another than auto", each.name());
      Engine other = known.put(each.name(), each);
      Check.that(
          other == null,
          "engines on the class path",
          "of different names",
          other == null
              ? null
              : each.name()
                  + ", which is "
                  + other.getClass().getName()
                  + " and "
                  + each.getClass().getName());
    }
    return engines;
  }
}
