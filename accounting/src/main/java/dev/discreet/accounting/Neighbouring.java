package dev.discreet.accounting;

/**
 * Which two data sets a guarantee calls neighbours. There is no default: the same noise costs up to
 * twice as much under one relation as under another, so a ledger must say which one it means.
 *
 * <p>A unit's contribution to a sum is bounded by C. A noise multiplier is the noise's standard
 * deviation divided by C, so the relation decides how many C a neighbour can move the sum.
 *
 * <pre>{@code
 * Neighbouring relation = Neighbouring.of("add/remove");
 * }</pre>
 */
@PublicApi
public enum Neighbouring {
  /** One data set has one unit more. A unit moves a sum by at most C. */
  ADD_REMOVE("add/remove", 1),
  /**
   * One unit has another value. A unit moves a sum by at most 2C: its contribution may turn from +C
   * to −C.
   */
  REPLACE_ONE("replace-one", 2),
  /**
   * One unit's contribution is set to zero, the number of units stays. A unit moves a sum by at
   * most C.
   */
  ZERO_OUT("zero-out", 1);

  private final String label;
  private final int sensitivity;

  Neighbouring(String label, int sensitivity) {
    this.label = label;
    this.sensitivity = sensitivity;
  }

  /**
   * How far a neighbour can move an unsampled sum.
   *
   * @return in units of the bound C on one contribution
   */
  public int sensitivity() {
    return sensitivity;
  }

  /**
   * The name that people and files use.
   *
   * @return such as {@code add/remove}
   */
  public String label() {
    return label;
  }

  /**
   * The relation of a name.
   *
   * @param label what {@link #label} gives
   * @return the relation
   */
  public static Neighbouring of(String label) {
    for (Neighbouring relation : values()) {
      if (relation.label.equals(label)) {
        return relation;
      }
    }
    throw new IllegalArgumentException(
        Check.line(
            "neighbouring must be one of add/remove, replace-one, zero-out. Provided value: "
                + Check.shortened(label)));
  }
}
