package dev.discreet.data.named;

import dev.discreet.data.DataDescription;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSource;
import dev.discreet.data.Declaration;
import dev.discreet.data.PixelScale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The published sets. */
public final class NamedSource implements DataSource {
  @Override
  public List<String> names() {
    return NamedSets.all().stream().map(NamedSet::name).toList();
  }

  private static NamedSet set(String name) {
    return NamedSets.find(name).orElseThrow();
  }

  @Override
  public Set<Declaration> takes(String name) {
    return set(name).mean().isEmpty() ? Set.of() : Set.of(Declaration.MEAN);
  }

  @Override
  public PixelScale scale(String name) {
    return set(name).scale();
  }

  @Override
  public DataSet open(String name, DataOptions options) throws IOException {
    return NamedSets.open(set(name), options);
  }

  @Override
  public DataDescription describe(String name, DataOptions options) {
    NamedSet set = set(name);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", NamedSets.title(set, options));
    facts.put(
        "rows",
        set.test() > 0
            ? DataDescription.rows(set.train(), set.test())
            : String.format(
                Locale.ROOT,
                "%,d, of which %.0f%% are split off to test on",
                set.train(),
                100 * set.testShare()));
    facts.putAll(DataDescription.facts(set.shape(), set.task(), set.inputs(), set.scale()));
    facts.put("licence", set.licence());
    facts.put(
        "where",
        NamedSets.where(set, options)
            .map(Path::toString)
            .orElse(
                set.isServed()
                    ? "not here yet; fetched on first use, or with `discreet data fetch`"
                    : "not here, and not served anywhere: --data-dir or DISCREET_DATA must name a"
                        + " folder with a copy in "
                        + set.folder()));
    return new DataDescription(set.name(), true, facts);
  }
}
