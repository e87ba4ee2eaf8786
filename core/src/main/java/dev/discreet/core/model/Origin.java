package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.StatementParagraph;

/**
 * What a run begins with where it does not begin anew, and whom that protects.
 *
 * <pre>{@code
 * Origin origin = transfer.origin();
 * System.out.println(origin.provenance());
 * }</pre>
 *
 * @param standing whether it is public, was released at a price of its own, or is neither
 * @param provenance one sentence, which a model made of it carries
 * @param protection whom the start itself protects
 */
@PublicApi
public record Origin(Standing standing, String provenance, ProtectedPeople protection) {

  /** Whether more than this run's own cost is in its model. */
  public enum Standing {
    /** Declared so: there is no one to protect. */
    PUBLIC,
    /** Private by its own line, which is not in this run's cost. */
    RELEASED,
    /** Neither: a model made of it is not private. */
    NOT_PRIVATE
  }

  /**
   * Parameters that somebody calls public.
   *
   * @param what what they are, in a few words
   * @return the origin
   */
  public static Origin declared(String what) {
    Check.that(
        !what.isBlank() && Check.oneLine(what),
        "parameters to start from",
        "named on one line",
        what);
    return new Origin(
        Standing.PUBLIC,
        "All layers began with parameters declared public (" + what + ").",
        ProtectedPeople.NO_ONE);
  }

  /**
   * Whom a model protects that began with this.
   *
   * @param run whom the run itself protects
   * @return whom both protect
   */
  public ProtectedPeople with(ProtectedPeople run) {
    return standing == Standing.PUBLIC ? run : run.and(protection);
  }

  /**
   * What a file of the run says in one line: what it says of itself, and then where its start came
   * from.
   *
   * @param line what it says of itself
   * @return both
   */
  public String after(String line) {
    return Transfer.sentence(line) + " " + provenance;
  }

  /**
   * The same start, taken for what it is by a run that is not private because of it.
   *
   * @return that start; this one stays as it is
   */
  public Origin notPrivate() {
    return new Origin(Standing.NOT_PRIVATE, provenance, protection);
  }

  /**
   * What a privacy statement says of it.
   *
   * @param unit who is protected, as a singular noun
   * @return one paragraph
   */
  public StatementParagraph statement(String unit) {
    return new StatementParagraph(
        "Start",
        Transfer.sentence(provenance)
            + switch (standing) {
              case PUBLIC ->
                  " Those data are not protected; what touched this run's data is accounted.";
              case RELEASED ->
                  " The promise above is about the data of this run. What the start tells of the"
                      + " data that it was trained on is not in it; any "
                      + unit
                      + " in both pays both prices, and the costs add up.";
              case NOT_PRIVATE ->
                  " It promises nothing to those whom it was trained on, and what it tells of them"
                      + " goes on in this model. Any "
                      + unit
                      + " of this run's data that was among them is not protected either.";
            });
  }
}
