package dev.discreet.accounting;

import java.util.List;

/**
 * The accountants by name.
 *
 * <pre>{@code
 * for (Accountant each : Accountants.all()) {
 *   System.out.println(each.epsilon(ledger, 1e-5));
 * }
 * }</pre>
 */
@PublicApi
public final class Accountants {
  private static final List<Accountant> ALL =
      List.of(
          new PldAccountant(),
          new RdpAccountant(),
          new MomentsAccountant(),
          TheoremAccountant.strong(),
          TheoremAccountant.sequential(),
          new GaussianLimit());

  private Accountants() {}

  /**
   * All accountants.
   *
   * @return the default first
   */
  public static List<Accountant> all() {
    return ALL;
  }

  /**
   * The accountant of a name.
   *
   * @param name what {@link Accountant#name} gives
   * @return the accountant
   */
  public static Accountant named(String name) {
    return ALL.stream()
        .filter(accountant -> accountant.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "accountant must be one of "
                        + String.join(", ", ALL.stream().map(Accountant::name).toList())
                        + ". Provided value: "
                        + name));
  }
}
