package dev.discreet.data.generate;

import dev.discreet.data.DataDescription;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSource;
import dev.discreet.data.Declaration;
import dev.discreet.data.PixelScale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The generated sets. They come scaled already, so nothing may be declared of them. */
public final class GeneratedSource implements DataSource {
  @Override
  public List<String> names() {
    return GeneratedSets.names();
  }

  @Override
  public Set<Declaration> takes(String name) {
    return Set.of();
  }

  @Override
  public PixelScale scale(String name) {
    return GeneratedSets.describe(name).scale();
  }

  @Override
  public DataSet open(String name, DataOptions options) {
    return GeneratedSets.make(name, options.seed());
  }

  @Override
  public DataDescription describe(String name, DataOptions options) {
    GeneratedSet set = GeneratedSets.describe(name);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", set.summary());
    facts.put("rows", DataDescription.rows(set.train(), set.test()));
    facts.putAll(DataDescription.facts(set.input(), set.task(), set.columns(), set.scale()));
    facts.put("where", "generated from a seed");
    return new DataDescription(name, true, facts);
  }
}
