package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.filter.Spending;
import java.util.List;
import java.util.regex.Pattern;

/** One thing that happened to an account. Whoever adds a kind is told by the compiler who asks. */
sealed interface AccountEntry {
  Pattern RUN = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  <R> R accept(Visitor<R> visitor);

  interface Visitor<R> {
    R visit(Opened entry);

    R visit(Reserved entry);

    R visit(Resumed entry);

    R visit(Settled entry);

    R visit(Imported entry);

    R visit(Limited entry);

    R visit(Listed entry);

    R visit(PassedOver entry);

    R visit(Broken entry);

    R visit(Closed entry);
  }

  /**
   * The first entry.
   *
   * @param id tells accounts apart; random
   * @param follows the account that this one takes over from, in words; empty for none
   * @param carried what was spent under that one
   * @param broken why that one promised nothing any more; empty where it did, or where there is
   *     none
   * @param passedOver for what data was used without charging it to that one
   */
  record Opened(
      String id,
      AccountTerms terms,
      String follows,
      List<AccountState.Item> carried,
      String broken,
      List<Purpose> passedOver)
      implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Set aside for a run, and spent until the run is settled. One run may reserve several times.
   *
   * @param run tells runs apart; a random UUID
   * @param session of the run, as its journal names it
   * @param journal tells the file of that journal from its copies; empty where it is in no file
   * @param cost of {@code planned}, as the account's filter counts it
   */
  record Reserved(
      String run,
      String session,
      String journal,
      Purpose purpose,
      LedgerFile planned,
      Spending cost)
      implements AccountEntry {
    public Reserved {
      refuseOtherNames(run);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A name that somebody chose may be one that is chosen again. */
  static void refuseOtherNames(String run) {
    Check.that(RUN.matcher(run).matches(), "run", "a random UUID", run);
  }

  /** A run goes on in a new session, out of what is still reserved for it. */
  record Resumed(String run, String session, String journal) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Takes the place of everything that the run had reserved. */
  record Settled(String run, Ledger charged, Spending cost, Proof proof) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** How it is known what a run has charged. */
  enum Proof {
    /** The run said so when it ended. */
    RUN,
    /** The journal that it left behind. */
    JOURNAL,
    /** Nothing: all that was reserved is taken as charged. */
    NONE
  }

  /**
   * Spent before the account knew of it.
   *
   * @param source the file that says so, or whoever declared it
   * @param digest of the file's content, by which it is known again; empty where there is no file
   * @param declared whether nothing but somebody's word stands behind it
   */
  record Imported(String source, String digest, LedgerFile spent, Spending cost, boolean declared)
      implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The working limit, as a share of the ceiling. */
  record Limited(double share) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A file or folder that holds rows of this population. */
  record Listed(ListedFile file) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Somebody used the population's data without charging it here. */
  record PassedOver(Purpose purpose) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** From here on nothing is promised. */
  record Broken(Purpose purpose, String reason) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Nothing is reserved any more.
   *
   * @param next the account that takes over; null where none does
   */
  record Closed(String reason, AccountState.Successor next) implements AccountEntry {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
