package dev.discreet.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.Account;
import dev.discreet.account.AccountFile;
import dev.discreet.account.AccountOutlook;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Subset;
import dev.discreet.data.generate.GeneratedSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are told what share of an account they may take, and those that find too little. */
class SpendingByShareTest {
  private static final DataSet GENERATED = GeneratedSets.make("gaussians", 0);

  @TempDir private Path folder;
  private Account account;
  private Recipe recipe;

  @BeforeEach
  void open() {
    Path file = folder.resolve("people.account");
    account =
        Account.open(
            new AccountFile(file),
            new AccountTerms("example", "", Neighbouring.ADD_REMOVE, new PrivacyFilter(8, 1e-6)));
    recipe =
        Recipe.parse("model: logistic\nsteps: 20\nlot-size: 50").with("account", file.toString());
  }

  private static DataSet people() {
    Examples rows = new Subset(GENERATED.train().examples(), IntStream.range(0, 400).toArray());
    return new DataSet(
        "people",
        GENERATED.task(),
        new DataSet.Part(rows, Units.each(rows.size()), false),
        Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "noise-schedule linear(2)", "pca 2", "clip-quantile 0.5"})
  void aRunTakesTheShareThatItIsGivenAndHardlyLess(String more) throws IOException {
    Recipe given = recipe.with("share", "0.25");
    if (!more.isEmpty()) {
      given = given.with(more.split(" ")[0], more.split(" ")[1]);
    }
    PreparedRecipe prepared = given.prepare(people());
    AccountOutlook outlook = prepared.outlook().orElseThrow();
    assertTrue(outlook.share() <= 0.25 && outlook.share() > 0.25 * (1 - 1e-3), "" + outlook);
    assertEquals(0, outlook.spent());
    assertEquals(4, outlook.fits());
    // The account's delta is the one that is stated, unless another is given.
    assertEquals(1e-6, prepared.cost().orElseThrow().delta());
    assertTrue(prepared.resolved().text().contains("share=0.25"));
    assertFalse(prepared.resolved().text().contains(" epsilon="));
  }

  @Test
  void whatIsChargedIsTheShareThatWasSaid() throws IOException {
    PreparedRecipe prepared = recipe.with("share", "0.4").prepare(people());
    FinishedRun done = prepared.start();
    AccountState state = account.state();
    assertEquals(prepared.outlook().orElseThrow().spent(), state.share(), 1e-12);
    assertTrue(state.share() <= 0.4 && state.share() > 0.3995, "" + state.share());
    assertTrue(done.result().epsilon() < 8);
    assertEquals(1, state.items().size());
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> recipe.with("share", "0.7").prepare(people()).start());
    assertTrue(
        e.getMessage().startsWith("share must be at most what is left of the account below its"),
        e.getMessage());
    assertTrue(e.getMessage().contains("limit, 0.60"), e.getMessage());
  }

  @Test
  void aShareNeedsAnAccount() {
    Recipe without = Recipe.parse("model: logistic\nsteps: 2\nlot-size: 50\nshare: 0.5");
    assertEquals(
        "share must be given with an account, which it is a share of. Provided value: 0.5",
        assertThrows(IllegalArgumentException.class, () -> without.prepare(people())).getMessage());
    assertThrows(IllegalArgumentException.class, () -> recipe.with("share", "1.5"));
    assertThrows(
        IllegalArgumentException.class, () -> Recipe.parse("share: 0.5\nepsilon: 1").values());
  }

  /** What a refusal says would fit does, and hardly more would. */
  @Test
  void aRunThatIsTooMuchIsRefusedWithWhatWouldFit() throws IOException {
    Path out = folder.resolve("run");
    recipe.with("share", "0.5").prepare(people()).start();
    Recipe sharp =
        recipe.with("noise-multiplier", "1").with("steps", "200").with("out", out.toString());
    PreparedRecipe prepared = sharp.prepare(people());
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> prepared.start());
    Matcher said =
        Pattern.compile(
                "must be at most its limit, 100%\\. Provided value: .* \\(49[.0-9]*% before\\)\\."
                    + " What would fit: (\\d+) of its 200 steps at this noise, or all of its steps"
                    + " at noise multiplier ([0-9.]+) in place of 1")
            .matcher(e.getMessage());
    assertTrue(said.find(), e.getMessage());
    assertTrue(Files.notExists(out) && Files.notExists(folder.resolve("run.unfinished")));
    long steps = Long.parseLong(said.group(1));
    double noise = Double.parseDouble(said.group(2));
    sharp.with("steps", "" + steps).prepare(people()).checkRoom();
    sharp.with("noise-multiplier", "" + noise).prepare(people()).checkRoom();
    PreparedRecipe more = sharp.with("steps", "" + (steps + 1)).prepare(people());
    assertThrows(IllegalArgumentException.class, more::checkRoom);
    PreparedRecipe less = sharp.with("noise-multiplier", "" + 0.999 * noise).prepare(people());
    assertThrows(IllegalArgumentException.class, less::checkRoom);
  }
}
