package dev.discreet.data;

import dev.discreet.accounting.Digits;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.named.NamedSet;
import dev.discreet.data.named.NamedSets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes {@link DataDescription}s. */
final class Descriptions {
  private Descriptions() {}

  static DataDescription of(NamedSet set, DataOptions options) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", NamedSets.title(set, options));
    facts.put(
        "rows",
        set.test() > 0
            ? rows(set.train(), set.test())
            : String.format(
                Locale.ROOT,
                "%,d, of which %.0f%% are split off to test on",
                set.train(),
                100 * set.testShare()));
    common(facts, set.shape(), set.task(), set.inputs(), set.mean(), set.deviation());
    facts.put("licence", set.licence());
    Optional<Path> where = NamedSets.where(set, options);
    facts.put(
        "where",
        where
            .map(Path::toString)
            .orElse(
                set.isServed()
                    ? "not here yet; fetched on first use, or with `discreet data fetch`"
                    : "not here, and not served anywhere: --data-dir or DISCREET_DATA must name a"
                        + " folder with a copy in "
                        + set.folder()));
    return new DataDescription(set.name(), true, facts);
  }

  static DataDescription of(dev.discreet.data.generate.GeneratedSet set) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", set.summary());
    facts.put("rows", rows(set.train(), set.test()));
    common(facts, set.input(), set.task(), set.columns(), set.mean(), set.deviation());
    facts.put("where", "generated from a seed");
    return new DataDescription(set.name(), true, facts);
  }

  /** Only what the owner said: the file is not opened. */
  static DataDescription of(PrivateFile file) {
    DataOptions options = file.options();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", file.kind().label + "; private, so this is what was declared");
    options.label().ifPresent(label -> facts.put("label", label));
    options.input().ifPresent(input -> facts.put("input", input.toString()));
    if (!options.asIn().isEmpty()) {
      facts.put("taken from", options.asIn());
    }
    if (!options.classes().isEmpty()) {
      facts.put("classes", String.join(", ", options.classes()));
    }
    if (!options.columns().isEmpty()) {
      facts.put("columns", String.join(", ", options.columns()));
    }
    facts.put("unit", unit(options));
    options.bounds().ifPresent(bounds -> facts.put("bounds", bounds));
    scale(facts, options.mean(), options.deviation());
    facts.put(
        "test rows",
        options.publicTest().map(test -> test + ", declared public").orElse(heldOut(file)));
    return new DataDescription(file.path().toString(), false, facts);
  }

  private static String heldOut(PrivateFile file) {
    DataOptions options = file.options();
    if (options.testFolder()) {
      return "private: those below test/";
    }
    String share =
        options.testShare() == 0 ? "none" : "a share of " + Digits.shortest(options.testShare());
    boolean whole = file.kind() == PrivateFile.Kind.CSV || file.kind() == PrivateFile.Kind.IMAGES;
    return (options.testShare() == 0 && whole ? "" : "private: ")
        + (whole ? "" : "the file's own test part, or ")
        + share;
  }

  private static String unit(DataOptions options) {
    return options
        .unitMap()
        .map(map -> "as " + map + " says")
        .orElse(options.unit().map(unit -> "rows of equal " + unit).orElse("a row"));
  }

  private static String rows(int train, int test) {
    return String.format(Locale.ROOT, "%,d to train on, %,d to test on", train, test);
  }

  private static void common(
      Map<String, String> facts,
      Shape shape,
      Task task,
      List<String> inputs,
      List<Double> mean,
      List<Double> deviation) {
    facts.put("shape", shape.toString());
    if (!inputs.isEmpty()) {
      facts.put("inputs", String.join(", ", inputs));
    }
    if (task instanceof Task.Classes classes) {
      facts.put("classes", String.join(", ", classes.names()));
    } else if (task instanceof Task.Number number) {
      facts.put(
          "predicts",
          number.name()
              + " in "
              + Digits.shortest(number.low())
              + ".."
              + Digits.shortest(number.high()));
    }
    scale(facts, mean, deviation);
  }

  private static void scale(Map<String, String> facts, List<Double> mean, List<Double> deviation) {
    if (!mean.isEmpty()) {
      facts.put("mean", joined(mean));
      facts.put("deviation", joined(deviation));
    }
  }

  private static String joined(List<Double> values) {
    return values.stream().map(Digits::shortest).collect(Collectors.joining(", "));
  }
}
