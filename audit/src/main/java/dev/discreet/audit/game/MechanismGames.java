package dev.discreet.audit.game;

import java.util.ArrayList;
import java.util.List;

/** All games, by name. */
public final class MechanismGames {
  private MechanismGames() {}

  /** In the order in which they are shown. */
  public static List<MechanismGame> all() {
    List<MechanismGame> games = new ArrayList<>(SessionGames.all());
    games.addAll(StepGames.all());
    games.addAll(QueryGames.all());
    games.addAll(AlgorithmGames.all());
    return List.copyOf(games);
  }

  /**
   * The games whose names are given, or begin with a given name and a dash.
   *
   * @param names such as {@code query-sum}, {@code query} or {@code all}; empty for all
   */
  public static List<MechanismGame> named(List<String> names) {
    List<MechanismGame> all = all();
    if (names.isEmpty() || names.contains("all")) {
      return all;
    }
    for (String name : names) {
      if (all.stream().noneMatch(game -> matches(game, name))) {
        throw new IllegalArgumentException(
            "mechanism must be all or one of "
                + String.join(", ", all.stream().map(MechanismGame::name).toList())
                + " (or what such a name begins with). Provided value: "
                + name);
      }
    }
    return all.stream()
        .filter(game -> names.stream().anyMatch(name -> matches(game, name)))
        .toList();
  }

  private static boolean matches(MechanismGame game, String name) {
    return game.name().equals(name) || game.name().startsWith(name + "-");
  }
}
