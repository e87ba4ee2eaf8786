package dev.discreet.core.train;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;

/** What a run promises about the people in its data; the first thing that its result says. */
public sealed interface Privacy {

  /** One line for people, first in every report. */
  String headline();

  /** The promise in plain words, headline first. */
  String statement();

  /**
   * A run whose every release is on the ledger.
   *
   * @param ledger of the whole plan, whenever the run was stopped
   * @param secure whether lots and noise came from secret keys; if not, no one is protected
   * @param steered whether it was stopped while un-noised values were in view
   */
  record Guaranteed(
      Ledger ledger, Guarantee guarantee, String text, boolean secure, boolean steered)
      implements Privacy {
    /** Of a run whose length was fixed, or chosen by released values only. */
    public Guaranteed(Ledger ledger, Guarantee guarantee, String text, boolean secure) {
      this(ledger, guarantee, text, secure, false);
    }

    @Override
    public String headline() {
      return secure
          ? "Private: "
              + guarantee
              + (steered
                  ? "; but its length was chosen with un-noised values in view, and is outside the"
                      + " guarantee"
                  : "")
          : "INSECURE: lots and noise came from a seed that anyone can guess, so this run protects"
              + " no one. With secret keys it would be: "
              + guarantee;
    }

    @Override
    public String statement() {
      return secure ? text : headline() + "\n\n" + text;
    }

    /** The headline: a record's own text would show an ε before it says that it is none. */
    @Override
    public String toString() {
      return headline();
    }
  }

  /**
   * A run that was asked for as non-private, by name.
   *
   * @param secure whether lots came from secret keys
   */
  record NonPrivate(boolean secure) implements Privacy {
    @Override
    public String headline() {
      return "NOT PRIVATE: this run was non-private by request; its model may reveal its training"
          + " data."
          + (secure ? "" : " INSECURE: lots came from a seed that anyone can guess.");
    }

    @Override
    public String statement() {
      return headline() + "\n";
    }

    @Override
    public String toString() {
      return headline();
    }
  }
}
