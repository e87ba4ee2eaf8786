package dev.discreet.recipe.tune;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.algorithms.tuning.Search;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.NumberText;
import dev.discreet.recipe.setting.OtherNames;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.SettingValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The section {@code tune} of a run file.
 *
 * @param budget whether the budget is that of the whole search ({@code total}) or of each run
 *     ({@code each}); empty where the file does not say
 * @param candidates the settings of each, over those of the file
 * @param node the section as it was written
 */
public record TuneSection(
    Search search, Optional<String> budget, List<Recipe> candidates, MappingNode node) {
  private static final List<String> KEYS =
      List.of("search", "runs", "mean", "shape", "budget", "settings", "candidates");
  private static final Set<Group> TUNABLE =
      Set.of(Group.MODEL, Group.LOTS, Group.CLIPPING, Group.OPTIMIZER);
  private static final int MOST = 10_000;

  /** Refuses candidates with settings that are not to be searched, wherever they come from. */
  public TuneSection {
    candidates = List.copyOf(candidates);
    Check.that(!candidates.isEmpty(), "candidates", "at least one", "none");
    for (Recipe candidate : candidates) {
      candidate
          .values()
          .values()
          .forEach((setting, value) -> checkSearched(value.place(), setting));
    }
  }

  public static TuneSection read(Path path, RunFile.Document document) {
    Check.that(
        document.tune() != null,
        "run file of discreet tune",
        "one with a section tune, which says what to search (docs/algorithms/tuning.md)",
        path);
    Map<String, Node> parts = new LinkedHashMap<>();
    MappingNode section = mapping(document.tune(), document.tunePlace() + RunFile.TUNE);
    for (NodeTuple tuple : section.getValue()) {
      String place = RunFile.place(path.toString(), tuple.getKeyNode());
      String key = RunFile.text(tuple.getKeyNode(), place, "a key");
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            Check.line(
                place
                    + "unknown key '"
                    + Check.shortened(key)
                    + "' of tune"
                    + OtherNames.option(key, KEYS)
                        .map(each -> "; did you mean " + each + "?")
                        .orElse("; the keys are " + String.join(", ", KEYS))));
      }
      Check.that(parts.put(key, tuple.getValueNode()) == null, place + key, "set once", "again");
    }
    Parts all = new Parts(path, parts, document.tunePlace());
    return new TuneSection(
        search(all), all.choice("budget", "total", "each"), candidates(all), section);
  }

  private record Parts(Path path, Map<String, Node> nodes, String tunePlace) {
    String place(String key) {
      return RunFile.place(path.toString(), nodes.get(key));
    }

    Optional<String> text(String key) {
      return nodes.containsKey(key)
          ? Optional.of(RunFile.text(nodes.get(key), place(key) + key, "a value"))
          : Optional.empty();
    }

    Optional<String> choice(String key, String... allowed) {
      Optional<String> text = text(key);
      text.ifPresent(
          given ->
              Check.that(
                  List.of(allowed).contains(given),
                  place(key) + key,
                  "one of " + String.join(", ", allowed),
                  given));
      return text;
    }

    Optional<Double> number(String key) {
      return text(key)
          .map(NumberText.real(place(key, ""), "a finite number", value -> Double.isFinite(value)));
    }

    private String place(String key, String none) {
      return nodes.containsKey(key) ? place(key) + key : none;
    }

    void refuse(String why, String... keys) {
      for (String key : keys) {
        if (nodes.containsKey(key)) {
          throw new IllegalArgumentException(place(key) + key + " " + why);
        }
      }
    }
  }

  private static Search search(Parts all) {
    if (all.choice("search", "random", "grid").orElse("random").equals("grid")) {
      all.refuse("is for search: random; a grid runs each candidate once", "runs", "mean", "shape");
      return new Search.Grid();
    }
    String law =
        all.choice("runs", "geometric", "logarithmic", "negative-binomial", "poisson")
            .orElse("geometric");
    if (!law.equals("negative-binomial")) {
      all.refuse("is for runs: negative-binomial", "shape");
    }
    double mean = all.number("mean").orElse(10.0);
    try {
      return new Search.Random(
          switch (law) {
            case "poisson" -> RandomRuns.Poisson.ofMean(mean);
            case "logarithmic" -> RandomRuns.NegativeBinomial.ofMean(0, mean);
            case "geometric" -> RandomRuns.NegativeBinomial.ofMean(1, mean);
            default -> RandomRuns.NegativeBinomial.ofMean(shape(all), mean);
          });
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(all.tunePlace + e.getMessage(), e);
    }
  }

  /** The shape η, rounded to the grid that runs are drawn on. */
  private static double shape(Parts all) {
    double eta = all.number("shape").orElse(0.5);
    double drawn = Math.rint(eta / RandomRuns.COARSE) * RandomRuns.COARSE;
    Check.that(drawn > -1 && drawn <= 1000, "shape", "above -1 and at most 1000", eta);
    return drawn;
  }

  private static List<Recipe> candidates(Parts all) {
    boolean grid = all.nodes.containsKey("settings");
    Check.that(
        grid != all.nodes.containsKey("candidates"),
        all.tunePlace + RunFile.TUNE,
        "with settings (a list of values for each) or candidates (a list of settings), one of them",
        grid ? "both" : "neither");
    return (grid ? product(all) : listed(all)).stream().map(Recipe::of).toList();
  }

  private static List<SettingValues> listed(Parts all) {
    String what = all.place("candidates") + "candidates";
    List<SettingValues> candidates = new ArrayList<>();
    for (Node each : items(all.nodes.get("candidates"), what)) {
      Map<Setting<?>, SettingValues.Value> values = new LinkedHashMap<>();
      for (NodeTuple tuple : mapping(each, what).getValue()) {
        String place = RunFile.place(all.path.toString(), tuple.getKeyNode());
        Setting<?> setting = setting(place, tuple);
        SettingValues.Value value =
            new SettingValues.Value(RunFile.texts(tuple.getValueNode(), setting, place), place);
        Check.that(values.put(setting, value) == null, place + setting.name(), "set once", "again");
      }
      Check.that(!values.isEmpty(), what, "settings each", "none");
      candidates.add(new SettingValues(values));
    }
    Check.that(candidates.size() <= MOST, what, "at most " + MOST, candidates.size());
    return candidates;
  }

  /** Every value of one setting with every value of the others. */
  private static List<SettingValues> product(Parts all) {
    List<Map<Setting<?>, SettingValues.Value>> candidates = List.of(Map.of());
    for (NodeTuple tuple :
        mapping(all.nodes.get("settings"), all.place("settings") + "settings").getValue()) {
      String place = RunFile.place(all.path.toString(), tuple.getKeyNode());
      Setting<?> setting = setting(place, tuple);
      Check.that(
          candidates.stream().noneMatch(each -> each.containsKey(setting)),
          place + setting.name(),
          "set once",
          "again");
      List<Map<Setting<?>, SettingValues.Value>> next = new ArrayList<>();
      List<Node> values = items(tuple.getValueNode(), place + setting.name());
      long size = (long) candidates.size() * values.size();
      Check.that(size <= MOST, place + "candidates", "at most " + MOST + " in all", size);
      for (Map<Setting<?>, SettingValues.Value> each : candidates) {
        for (Node value : values) {
          Map<Setting<?>, SettingValues.Value> longer = new LinkedHashMap<>(each);
          longer.put(setting, new SettingValues.Value(RunFile.texts(value, setting, place), place));
          next.add(longer);
        }
      }
      candidates = next;
    }
    Check.that(
        !candidates.get(0).isEmpty(), all.place("settings") + "settings", "at least one", "none");
    return candidates.stream().map(SettingValues::new).toList();
  }

  private static Setting<?> setting(String place, NodeTuple tuple) {
    Setting<?> setting = RunFile.setting(place, RunFile.text(tuple.getKeyNode(), place, "a key"));
    checkSearched(place, setting);
    return setting;
  }

  /** The search is charged once: seed, unit and declarations must be the same for all of it. */
  private static void checkSearched(String place, Setting<?> setting) {
    Check.that(
        TUNABLE.contains(setting.group())
            || setting == PrivacySettings.NOISE_SCHEDULE
            || setting == PrivacySettings.NOISE_OVER_TIME
            || setting == PrivacySettings.NOISE_WEIGHTS,
        place + "setting to search",
        "one of the model, lots and length, clipping or the optimizer",
        setting.name());
  }

  private static MappingNode mapping(Node node, String what) {
    Check.that(node instanceof MappingNode, what, "lines of the form KEY: VALUE", node.getNodeId());
    return (MappingNode) node;
  }

  private static List<Node> items(Node node, String what) {
    Check.that(node instanceof SequenceNode, what, "a list", node.getNodeId());
    List<Node> items = ((SequenceNode) node).getValue();
    Check.that(!items.isEmpty(), what, "a list of at least one", "none");
    return items;
  }
}
