package dev.discreet.core.train;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.Origin;
import dev.discreet.core.nn.Initialiser;
import java.util.Optional;

/**
 * What the parameters of a run were before its first step, without their values.
 *
 * <pre>{@code
 * InitialParameters start = result.provenance().configuration().start();
 * System.out.println(start.origin().map(Origin::provenance).orElse("trained from scratch"));
 * }</pre>
 */
@PublicApi
public sealed interface InitialParameters {
  /**
   * The words of provenance.
   *
   * @return one line
   */
  String text();

  /**
   * Where given parameters come from.
   *
   * @return empty where they were drawn anew
   */
  Optional<Origin> origin();

  /**
   * New parameters, which are public.
   *
   * @param initialiser how they were drawn
   * @param seed of the random numbers
   */
  record Drawn(Initialiser initialiser, long seed) implements InitialParameters {
    @Override
    public String text() {
      return initialiser + ", seed " + seed;
    }

    @Override
    public Optional<Origin> origin() {
      return Optional.empty();
    }
  }

  /**
   * Parameters that the run was told to begin with.
   *
   * @param from where they come from
   * @param sha256 a hash of their values, by which a resumed run knows them; empty for values that
   *     are neither public nor privately released, because a hash would tell of the rows behind
   *     them
   */
  record Given(Origin from, Optional<String> sha256) implements InitialParameters {
    @Override
    public String text() {
      return "given"
          + sha256.map(hash -> ", SHA-256 " + hash).orElse("")
          + "; "
          + from.provenance();
    }

    @Override
    public Optional<Origin> origin() {
      return Optional.of(from);
    }
  }
}
