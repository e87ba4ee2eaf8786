package dev.discreet.audit.game;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import java.util.List;

/**
 * Independent plays of one side, and the ledger that paid for all of them.
 *
 * @param transcripts one for each play
 * @param ledger of all plays together, as the session wrote it
 */
record Plays(List<Transcript> transcripts, Ledger ledger) {

  Plays {
    transcripts = List.copyOf(transcripts);
  }

  /** What one play was charged. Refuses a ledger that charges plays unevenly. */
  Ledger ofOne() {
    long plays = transcripts.size();
    return new Ledger(
        ledger.neighbouring(),
        ledger.entries().stream()
            .map(
                entry -> {
                  Check.that(
                      entry.count() % plays == 0,
                      "charges of " + plays + " plays",
                      "as many for each",
                      entry.count());
                  return new Ledger.Entry(entry.mechanism(), entry.count() / plays, entry.part());
                })
            .toList());
  }
}
