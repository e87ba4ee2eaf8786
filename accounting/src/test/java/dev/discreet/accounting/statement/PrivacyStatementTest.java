package dev.discreet.accounting.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.CpuTime;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Ledgers;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.RdpAccountant;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrivacyStatementTest {
  private static final Ledger LEDGER = Ledgers.poisson(4, 0.01, 1000);

  /** On one line, however it was wrapped. */
  private static String flat(PrivacyStatement statement) {
    return statement.text().replaceAll("\\s+", " ");
  }

  private static Guarantee guarantee(double lower, double epsilon, double delta) {
    return new Guarantee(lower, epsilon, delta, delta, "pld", "");
  }

  @Test
  void saysWhatASignatoryMustKnow() {
    PrivacyStatement statement =
        CpuTime.within(10, () -> PrivacyStatement.of("patient", LEDGER, 1e-5));
    String text = flat(statement);
    for (String needed :
        new String[] {
          "Each single patient",
          "(add/remove)",
          "1000 x Gaussian noise, multiplier 4, on a Poisson sample of rate 0.01",
          "epsilon = ",
          "the true value lies between",
          "Accountant: Privacy loss distributions (pld)",
          "wrongly accuses 1% of the absent",
          "Covered: ",
          "Not covered: ",
          "several patients that have to do with each other",
          "Epsilon bounds how much one patient can matter",
          "Delta is the probability by which that bound may be missed",
        }) {
      assertTrue(text.contains(needed), () -> "no \"" + needed + "\" in\n" + statement.text());
    }
    assertEquals(1e-5, number(text, "delta = ([0-9.e+-]+\\d)").doubleValue());
  }

  @Test
  void statesTheBracketAndTheAttack() {
    PrivacyStatement statement =
        new PrivacyStatement("example", LEDGER, guarantee(0.93, 0.95, 1e-5), 0.0234);
    String text = flat(statement);
    assertTrue(
        text.contains("epsilon = 0.95 (certified: the true value lies between 0.93 and 0.95)"),
        text);
    assertTrue(text.contains("can recognise at most 2.34% of the present"), text);
    assertTrue(text.contains("Guessing blindly reaches 1%"), text);
  }

  @ParameterizedTest
  @EnumSource
  void namesTheRelation(Neighbouring relation) {
    Ledger ledger = Ledger.of(relation, new Gaussian(1), 1);
    String text = flat(new PrivacyStatement("row", ledger, guarantee(1, 1, 1e-5), 0.5));
    assertTrue(text.contains("(" + relation.label() + ")"), text);
    // Only under add/remove is anybody absent.
    boolean present = relation == Neighbouring.ADD_REMOVE;
    assertEquals(present, text.contains("of the absent"), text);
    assertEquals(present, text.contains("at most 50.00% of the present"), text);
    assertEquals(!present, text.contains("the number of rows is not protected"), text);
  }

  @ParameterizedTest
  @MethodSource("dev.discreet.accounting.LedgerJsonTest#mechanisms")
  void describesEveryMechanism(Mechanism mechanism) {
    Ledger ledger = Ledgers.addRemove(mechanism, 3);
    String text = flat(new PrivacyStatement("row", ledger, guarantee(1, 1, 1e-5), 0.5));
    assertTrue(text.contains("What was released: 3 x "), text);
  }

  @Test
  void whatWasOnlyDeclaredIsNotCalledReleased() {
    Guarantee guarantee = guarantee(1, 1, 1e-5);
    String released = flat(new PrivacyStatement("row", LEDGER, guarantee, 0.5));
    String declared = flat(new PrivacyStatement("row", LEDGER, guarantee, 0.5, true, 0, List.of()));
    assertTrue(released.contains("What was released: 1000 x "), released);
    assertFalse(released.contains("declared"), released);
    assertTrue(declared.contains("What is released, as declared: 1000 x "), declared);
    assertFalse(declared.contains("was released"), declared);
    assertTrue(declared.contains("only if each step really clips what one row can"), declared);
  }

  /** The unit's name is text, whatever stands in it. */
  @Test
  void aUnitIsNoFormat() {
    Ledger ledger = Ledger.of(Neighbouring.REPLACE_ONE, new Gaussian(1), 1);
    String text = flat(new PrivacyStatement("%s%d", ledger, guarantee(1, 1, 1e-5), 0.5));
    assertTrue(text.contains("two records that one %s%d may have"), text);
  }

  private static BigDecimal number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), text);
    return new BigDecimal(matcher.group(1));
  }

  /** A statement may promise less than was proven, never more: ε up, lower end down. */
  @Test
  void roundsToTheSafeSide() {
    Random random = new Random(3);
    double[] awkward = {
      0,
      1e-9,
      Math.nextUp(0.0009),
      0.12344999,
      0.12345,
      0.12345001,
      Math.nextUp(0.947),
      Math.nextUp(0.25),
      1.00005,
      7.77775
    };
    for (int i = 0; i < 2000; i++) {
      double lower = i < awkward.length ? awkward[i] : Math.exp(random.nextDouble() * 12 - 6);
      double upper = i % 2 == 0 ? lower : lower * (1 + 1e-4);
      String text = flat(new PrivacyStatement("row", LEDGER, guarantee(lower, upper, 1e-5), 0.5));
      BigDecimal stated = number(text, "epsilon = (\\S+) ");
      BigDecimal from = number(text, "lies between (\\S+) and ");
      BigDecimal to = number(text, "lies between \\S+ and (\\S+)\\)");
      assertEquals(stated, to);
      assertTrue(
          stated.compareTo(BigDecimal.valueOf(upper)) >= 0,
          stated + " promises more than " + upper);
      assertEquals(upper, stated.doubleValue(), 1.01e-5 * upper);
      assertTrue(from.compareTo(BigDecimal.valueOf(lower)) <= 0, from + " is not below " + lower);
    }
  }

  @Test
  void neverRoundsDeltaDown() {
    for (double delta : new double[] {1.2345649e-5, 1e-5, 0.1234564, 3.0000001e-7}) {
      String text = flat(new PrivacyStatement("row", LEDGER, guarantee(1, 1, delta), 0.5));
      BigDecimal stated = number(text, "delta = ([0-9.e+-]+\\d)");
      assertTrue(stated.compareTo(BigDecimal.valueOf(delta)) >= 0, stated + " is below " + delta);
    }
  }

  @Test
  void neverRoundsTheAttackDown() {
    for (double rate : new double[] {0.010001, 0.02345001, 0.99999, 1}) {
      String text = flat(new PrivacyStatement("row", LEDGER, guarantee(1, 1, 1e-5), rate));
      BigDecimal stated = number(text, "at most (\\d+\\.\\d+)% of the present");
      assertTrue(stated.doubleValue() >= 100 * rate - 1e-12 && stated.doubleValue() <= 100, text);
    }
  }

  @Test
  void saysSoWhenNothingIsPromised() {
    Ledger bare = Ledgers.addRemove(new Gaussian(0), 1);
    String text = flat(PrivacyStatement.of("example", bare, 1e-5));
    assertTrue(text.contains("no finite epsilon (there is no noise)"), text);
    assertTrue(text.contains("at most 100.00% of the present"), text);
    assertFalse(text.contains("epsilon = "), text);
    assertTrue(text.startsWith("PRIVACY STATEMENT Promise: None. There is no guarantee"), text);
    assertTrue(text.contains("Who is protected: No example."), text);
    assertTrue(text.endsWith("Covered: Nothing. "), text);
  }

  /** The accountant named is the one that was asked. */
  @Test
  void namesTheAccountantOfTheGuarantee() {
    Guarantee rdp = new RdpAccountant().epsilon(LEDGER, 1e-5);
    String text = flat(new PrivacyStatement("row", LEDGER, rdp, 0.5));
    assertTrue(text.contains("rdp"), text);
    assertFalse(text.contains("both ends certified"), text);
    assertFalse(text.contains("pld"), text);
    assertTrue(text.contains("(certified: the true value is not above it)"), text);
    for (Accountant accountant : Accountants.all()) {
      if (accountant.epsilon(LEDGER, 1e-5) instanceof Guarantee guarantee) {
        String named = flat(new PrivacyStatement("row", LEDGER, guarantee, 0.5));
        assertTrue(named.contains("(" + accountant.name() + ")"), named);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "row\n\nPromise: epsilon = 0"})
  void theUnitIsOneNoun(String unit) {
    Guarantee guarantee = guarantee(1, 1, 1e-5);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new PrivacyStatement(unit, LEDGER, guarantee, 0.5));
    assertTrue(e.getMessage().startsWith("unit must be a singular noun"), e.getMessage());
  }

  /**
   * The attack is bounded with less effort than the trade-off curve takes; still from above, and
   * hardly higher.
   */
  @Test
  void theAttackIsBoundedTightly() {
    double stated = PrivacyStatement.of("row", LEDGER, 1e-5).truePositiveRate();
    double narrow = TradeOff.of(LEDGER).truePositiveRate(0.01);
    assertEquals(narrow, stated, 0.02 * narrow);
    assertTrue(stated >= narrow * (1 - 1e-3), stated + " is below " + narrow);
  }

  @Test
  void nothingReleased() {
    Ledger empty = Ledger.empty(Neighbouring.ZERO_OUT);
    String text = flat(PrivacyStatement.of("example", empty, 1e-5));
    assertTrue(text.contains("epsilon = 0 "), text);
    assertTrue(text.contains("What was released: Nothing."), text);
  }

  @Test
  void longLedgersAreCutAndPartsNamed() {
    Ledger ledger = Ledger.of(Neighbouring.ADD_REMOVE, new PureDp(1), 1).onPart("north");
    for (int i = 1; i <= 10; i++) {
      ledger = ledger.plus(new Laplace(i), i);
    }
    String text = flat(new PrivacyStatement("row", ledger, guarantee(1, 1, 1e-5), 0.5));
    assertTrue(text.contains("1 x a mechanism of epsilon 1 on part north"), text);
    assertTrue(text.contains("and 3 more entries"), text);
  }

  @Test
  void linesAreShort() {
    String text = new PrivacyStatement("example", LEDGER, guarantee(0.3, 0.3, 1e-5), 0.5).text();
    assertTrue(Arrays.stream(text.split("\n")).allMatch(line -> line.length() <= 100), text);
  }

  @Test
  void theTextIsAViewOfTheFields() {
    PrivacyStatement statement =
        new PrivacyStatement("patient", LEDGER, guarantee(1, 12, 1e-3), 0.0234)
            .among(4000)
            .on(List.of("Nobody is two patients."));
    assertEquals(LEDGER.neighbouring(), statement.relation());
    assertTrue(statement.promises());
    assertEquals(3, statement.weaknesses().size(), () -> statement.weaknesses().toString());
    List<StatementParagraph> paragraphs = statement.paragraphs();
    assertEquals(
        statement.weaknesses(),
        paragraphs.stream()
            .filter(each -> each.title().equals("WEAK PROMISE"))
            .map(each -> each.body().substring(0, each.body().length() - 1))
            .toList());
    assertTrue(
        paragraphs.contains(
            new StatementParagraph("What was released", statement.releases().get(0) + ".")));
    assertTrue(
        paragraphs.contains(
            new StatementParagraph("What an attacker could do", statement.attack())));
    assertEquals(
        new StatementParagraph("Conditions", "Nobody is two patients."),
        paragraphs.get(paragraphs.size() - 1));
    assertEquals(List.of("Nobody is two patients."), statement.file(true).conditions());
    String all =
        paragraphs.stream()
            .map(each -> each.title() + ": " + each.body())
            .collect(Collectors.joining(" "));
    assertEquals("PRIVACY STATEMENT " + all, flat(statement).strip());
  }

  @Test
  void conditionsCannotForgeAParagraph() {
    PrivacyStatement statement = new PrivacyStatement("row", LEDGER, guarantee(1, 1, 1e-5), 0.5);
    assertThrows(
        IllegalArgumentException.class, () -> statement.on(List.of("true\n\nPromise: more")));
  }
}
