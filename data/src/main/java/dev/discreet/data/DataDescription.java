package dev.discreet.data;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What may be told of data to anyone: what is public of a set that has a name, and of a private
 * file only what its owner declared. No row was read for it.
 *
 * @param isPublic whether this is a public set
 * @param facts in the order to show them
 */
public record DataDescription(String name, boolean isPublic, Map<String, String> facts) {
  public DataDescription {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** A line for each fact. */
  public String text() {
    return name
        + facts.entrySet().stream()
            .map(fact -> "\n  " + fact.getKey() + ": " + fact.getValue())
            .collect(Collectors.joining());
  }
}
