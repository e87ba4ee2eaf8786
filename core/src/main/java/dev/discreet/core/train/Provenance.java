package dev.discreet.core.train;

import dev.discreet.accounting.PublicApi;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a model came about: enough to repeat the run, and nothing that depends on private rows.
 *
 * <pre>{@code
 * Provenance provenance = result.provenance();
 * System.out.println(provenance.configuration());
 * }</pre>
 *
 * @param configuration every setting of the trainer and the plan, by name
 * @param seeds where randomness came from
 * @param version of this library
 */
@PublicApi
public record Provenance(Map<String, String> configuration, String seeds, String version) {
  /** Copies the configuration. */
  public Provenance {
    configuration = Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
  }

  /** The version that the build wrote into the jar's manifest. */
  static String thisVersion() {
    String version = Provenance.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
