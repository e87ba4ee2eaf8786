package dev.discreet.core.train;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.PrivacySession;

/**
 * What a run releases of its data once, before its first step, and then begins with: principal
 * directions as a first layer, for example. Its text is part of a run's provenance.
 *
 * <p><b>Formal guarantee.</b> It goes through the run's own session, so the run's ledger has it,
 * and the run's plan has it besides its steps. A run is refused whose session has anything else on
 * its ledger afterwards.
 */
public interface FirstRelease {

  /** As the ledger has it: one release. */
  Mechanism mechanism();

  /** Refuses what cannot work, before anything is spent. */
  void check(Layout layout);

  /** Refuses an engine that it cannot be made with, before anything is spent. */
  default void check(Engine engine) {}

  /**
   * Makes the release.
   *
   * @param data the rows of the run; where its network begins with fixed features and its engine
   *     keeps those, the rows as the layers after them see them
   * @param parameters those to begin with, to write into what was released
   */
  void release(PrivacySession session, PrivateData data, Layout layout, float[] parameters);

  /** What the privacy statement says of it. */
  StatementParagraph statement(String unit);
}
