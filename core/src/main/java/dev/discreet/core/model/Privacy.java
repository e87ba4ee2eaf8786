package dev.discreet.core.model;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.accounting.statement.StatementParagraph;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a run promises about the people in its data; the first thing that its result says.
 *
 * <pre>{@code
 * if (result.privacy() instanceof Privacy.Guaranteed kept) {
 *   System.out.println(kept.guarantee().epsilon());
 * }
 * }</pre>
 */
@PublicApi
public sealed interface Privacy {
  /** What stands before the line of the model that another one began with. */
  String SAYS = "says of itself: ";

  /** The start of the line of a run that promises something. */
  String PRIVATE = "Private: ";

  /** What the line of a run says that was stopped while un-noised values were in view. */
  String STEERED = "its length was chosen with un-noised values in view";

  /**
   * One line for people, first in every report.
   *
   * @return one line
   */
  String headline();

  /**
   * The promise in plain words; first the headline, where there is no promise.
   *
   * @return the text of {@code privacy.txt}
   */
  String statement();

  /**
   * The same by its paragraphs. What protects no one has its headline as the first.
   *
   * @return at least one paragraph
   */
  List<StatementParagraph> paragraphs();

  /**
   * Whether lots and noise came from secret keys.
   *
   * @return if not, no one is protected
   */
  boolean secure();

  /**
   * What there is to say of each kind. A new kind is a further parameter, so that every caller
   * fails to compile until it knows it.
   *
   * @param <T> what is said
   * @param guaranteed for a run whose every release is on the ledger
   * @param nonPrivate for a run that protects no one
   * @return what the function of this kind gives
   */
  <T> T match(Function<Guaranteed, T> guaranteed, Function<NonPrivate, T> nonPrivate);

  /**
   * What it spent on those in its own data; empty where nothing was accounted that holds.
   *
   * @return the ledger, with its conditions
   */
  Optional<LedgerFile> paid();

  /**
   * The same promise with one thing more to say after the statement.
   *
   * @param note what is to be said
   * @return that promise; this one stays as it is
   */
  Privacy noting(StatementParagraph note);

  /**
   * Whom it protects of those in its own data.
   *
   * @return everyone, some or no one
   */
  ProtectedPeople protection();

  /**
   * A run whose every release is on the ledger.
   *
   * @param file the ledger of the whole plan, whenever the run was stopped, and whose it is
   * @param stated what is promised, as if lots and noise came from secret keys
   * @param notes what is to be said after the statement; may be empty
   * @param secure whether lots and noise came from secret keys; if not, no one is protected
   * @param steered whether it was stopped while un-noised values were in view
   * @param onTop whether it began with a private model, whose cost is not in the guarantee
   */
  record Guaranteed(
      LedgerFile file,
      PrivacyStatement stated,
      List<StatementParagraph> notes,
      boolean secure,
      boolean steered,
      boolean onTop)
      implements Privacy {
    /** Copies the list. */
    public Guaranteed {
      notes = List.copyOf(notes);
    }

    /**
     * The promise of a run from scratch whose length was fixed, or chosen by released values only.
     *
     * @param file the ledger
     * @param stated what it promises
     * @param notes what else the statement must say
     * @param secure whether all keys were secret
     */
    public Guaranteed(
        LedgerFile file, PrivacyStatement stated, List<StatementParagraph> notes, boolean secure) {
      this(file, stated, notes, secure, false, false);
    }

    @Override
    public Optional<LedgerFile> paid() {
      return secure ? Optional.of(file) : Optional.empty();
    }

    @Override
    public Guaranteed noting(StatementParagraph note) {
      List<StatementParagraph> all = Stream.concat(notes.stream(), Stream.of(note)).toList();
      return new Guaranteed(file, stated, all, secure, steered, onTop);
    }

    @Override
    public <T> T match(Function<Guaranteed, T> guaranteed, Function<NonPrivate, T> nonPrivate) {
      return guaranteed.apply(this);
    }

    /** {@return what was released} */
    public Ledger ledger() {
      return file.ledger();
    }

    @Override
    public ProtectedPeople protection() {
      boolean whole = stated.promises() && !steered;
      return !secure
          ? ProtectedPeople.NO_ONE
          : whole ? ProtectedPeople.EVERYONE : ProtectedPeople.SOME;
    }

    /** {@return what it costs, certified} */
    public Guarantee guarantee() {
      return stated.guarantee();
    }

    @Override
    public String headline() {
      return secure
          ? PRIVATE
              + guarantee()
              + (onTop ? "; the cost of its start comes on top" : "")
              + (steered ? "; but " + STEERED + ", and is outside the guarantee" : "")
          : insecure().title() + ": " + insecure().body();
    }

    private StatementParagraph insecure() {
      return new StatementParagraph(
          "INSECURE",
          "lots and noise came from a seed that anyone can guess, so this run protects no one."
              + " With secret keys it would be: "
              + guarantee());
    }

    @Override
    public String statement() {
      return (secure ? "" : headline() + "\n\n")
          + stated.text()
          + (notes.isEmpty() ? "" : "\n" + StatementParagraph.text(notes));
    }

    @Override
    public List<StatementParagraph> paragraphs() {
      return Stream.of(
              secure ? List.<StatementParagraph>of() : List.of(insecure()),
              stated.paragraphs(),
              notes)
          .flatMap(List::stream)
          .toList();
    }

    /** The headline: a record's own text would show an ε before it says that it is none. */
    @Override
    public String toString() {
      return headline();
    }
  }

  /**
   * A run that was asked for by name as non-private, or as one that begins with what is not.
   *
   * @param secure whether lots came from secret keys
   * @param byStart whether its own steps were private and what it began with was not
   * @param notes what a statement says after the headline; may be empty
   * @param steps what its own steps cost, where they were private
   */
  record NonPrivate(
      boolean secure, boolean byStart, List<StatementParagraph> notes, Optional<LedgerFile> steps)
      implements Privacy {
    /** Copies the list. */
    public NonPrivate {
      notes = List.copyOf(notes);
    }

    /**
     * A run that was asked for as non-private.
     *
     * @param secure whether all keys were secret
     */
    public NonPrivate(boolean secure) {
      this(secure, false, List.of(), Optional.empty());
    }

    @Override
    public Optional<LedgerFile> paid() {
      return secure ? steps : Optional.empty();
    }

    @Override
    public NonPrivate noting(StatementParagraph note) {
      List<StatementParagraph> all = Stream.concat(notes.stream(), Stream.of(note)).toList();
      return new NonPrivate(secure, byStart, all, steps);
    }

    @Override
    public ProtectedPeople protection() {
      // Its own steps protect those in its own data, so no one may declare the model public.
      return paid().isPresent() ? ProtectedPeople.SOME : ProtectedPeople.NO_ONE;
    }

    @Override
    public <T> T match(Function<Guaranteed, T> guaranteed, Function<NonPrivate, T> nonPrivate) {
      return nonPrivate.apply(this);
    }

    @Override
    public String headline() {
      return notPrivate().title() + ": " + notPrivate().body();
    }

    private StatementParagraph notPrivate() {
      return new StatementParagraph(
          "NOT PRIVATE",
          (byStart
                  ? "because of its start, which protects no one; the model may reveal what that"
                      + " was trained on."
                  : "this run was non-private by request; its model may reveal its training data.")
              + (secure ? "" : " INSECURE: lots came from a seed that anyone can guess."));
    }

    @Override
    public String statement() {
      return headline() + "\n" + (notes.isEmpty() ? "" : "\n" + StatementParagraph.text(notes));
    }

    @Override
    public List<StatementParagraph> paragraphs() {
      return Stream.concat(Stream.of(notPrivate()), notes.stream()).toList();
    }

    @Override
    public String toString() {
      return headline();
    }
  }
}
