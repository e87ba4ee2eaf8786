package dev.discreet.account;

import dev.discreet.core.privacy.Budget;

/**
 * Where a run wrote its journal last, as far as the account knows.
 *
 * @param session that wrote; empty where it is not known
 * @param file tells the journal from its copies; empty where it is in no file
 */
record LastJournal(String session, String file) {
  static final LastJournal UNKNOWN = new LastJournal("", "");

  /**
   * Whether a session writes to this journal, and not to a copy: a copy may know of less than was
   * released since it was made.
   */
  boolean isOf(Budget.Session writing) {
    return session.equals(writing.name())
        || writing.earlier().contains(session) && isIn(writing.journal());
  }

  boolean isIn(String journal) {
    return !file.isEmpty() && file.equals(journal);
  }
}
