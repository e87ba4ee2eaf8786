package dev.discreet.core.train;

import dev.discreet.accounting.PublicApi;
import java.util.OptionalLong;

/**
 * How a model came about: enough to repeat the run, and nothing that depends on private rows.
 *
 * <pre>{@code
 * Provenance provenance = result.provenance();
 * System.out.println(provenance.configuration().learningRate());
 * }</pre>
 *
 * @param configuration every setting of the trainer and the plan
 * @param seeds where lots and noise came from
 * @param version of this library
 */
@PublicApi
public record Provenance(Configuration configuration, Seeds seeds, String version) {

  /**
   * Where lots and noise came from.
   *
   * @param secure whether all of them came from secret keys
   * @param seed that anyone can guess; empty where none was given, or only to an earlier part of a
   *     run that was resumed
   */
  public record Seeds(boolean secure, OptionalLong seed) {
    /**
     * The words of files and pages.
     *
     * @return one line
     */
    public String text() {
      if (seed.isPresent()) {
        return "insecure: lots and noise from seed " + seed.getAsLong();
      }
      return secure
          ? "secure: lots and noise from the system's cryptographic generator, nothing saved"
          : "insecure: an earlier part of this run used a seed";
    }
  }

  /** The version that the build wrote into the jar's manifest. */
  static String thisVersion() {
    String version = Provenance.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
