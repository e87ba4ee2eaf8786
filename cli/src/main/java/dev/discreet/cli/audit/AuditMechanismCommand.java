package dev.discreet.cli.audit;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.audit.game.GameResult;
import dev.discreet.audit.game.MechanismGame;
import dev.discreet.audit.game.MechanismGames;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays the distinguishing game on what this build really releases. */
@Command(
    name = "mechanism",
    description = {
      "Releases again and again from two neighbouring inputs, guesses from each output which it"
          + " was, and says how large epsilon must be at least (docs/trust/mechanism.md).",
      "No data are read: the inputs are made up, most of them the worst that neighbours can be."
    },
    sortOptions = false,
    footerHeading = "%n",
    footer = {
      "Exit code 1 also where a claim is violated.",
      "Example: discreet audit mechanism query --trials 50000"
    })
public final class AuditMechanismCommand implements Callable<Integer> {
  private static final int MOST_TRIALS = 10_000_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description =
          "Games to play, by name or by what names begin with: gaussian, step, query, pca, tune."
              + " Default: all.")
  private List<String> names = List.of();

  @Option(
      names = "--trials",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Plays of each side; slow games get a part of them. More prove more. Default:"
              + " ${DEFAULT-VALUE}.")
  private int trials;

  @Option(
      names = "--confidence",
      paramLabel = "P",
      defaultValue = "0.999999",
      description =
          "Of each bound and each verdict: at 0.95, one honest row of 20 may be called violated."
              + " Default: ${DEFAULT-VALUE}.")
  private double confidence;

  @Option(names = "--json", description = "Print one JSON array, a row each.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Check.that(
        trials >= 100 && trials <= MOST_TRIALS, "trials", "in [100, " + MOST_TRIALS + "]", trials);
    Check.that(confidence > 0.5 && confidence < 1, "confidence", "in (0.5, 1)", confidence);
    List<MechanismGame> games = MechanismGames.named(names);
    List<GameResult> results = new ArrayList<>();
    PrintWriter err = spec.commandLine().getErr();
    for (MechanismGame game : games) {
      if (!json) {
        err.println(
            "playing " + game.name() + " (" + (results.size() + 1) + " of " + games.size() + ")");
        err.flush();
      }
      results.add(game.play(trials, 1 - confidence));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.text(results.stream().map(this::fields).toList()));
    } else {
      print(results, out);
    }
    return results.stream().anyMatch(GameResult::violated) ? 1 : 0;
  }

  private Map<String, Object> fields(GameResult result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("mechanism", result.name());
    fields.put("pair", result.pair());
    fields.put("neighbouring", result.neighbouring().label());
    fields.put("trials", result.trials());
    fields.put("epsilon", result.epsilon());
    fields.put("delta", result.delta());
    fields.put("epsilonLower", result.epsilonLower());
    if (!Double.isNaN(result.gaussianLower())) {
      fields.put("epsilonLowerIfGaussian", result.gaussianLower());
    }
    fields.put("look", result.look());
    fields.put("confidence", confidence);
    fields.put("violated", result.violated());
    return fields;
  }

  private void print(List<GameResult> results, PrintWriter out) {
    Table table =
        new Table()
            .row(
                "mechanism",
                "neighbouring",
                "claimed epsilon",
                "delta",
                "at least",
                "if Gaussian",
                "seen in",
                "verdict");
    for (GameResult each : results) {
      table.row(
          each.name(),
          each.neighbouring().label(),
          Digits.up(each.epsilon()),
          Digits.plain(each.delta()),
          Digits.down(each.epsilonLower()),
          Double.isNaN(each.gaussianLower()) ? "-" : Digits.down(each.gaussianLower()),
          each.look(),
          each.violated() ? "VIOLATED" : "not refuted");
    }
    table.print(out);
    long violated = results.stream().filter(GameResult::violated).count();
    out.println();
    out.println(
        results.size()
            + (results.size() == 1 ? " game, " : " games, ")
            + violated
            + " violated; confidence "
            + Digits.plain(confidence)
            + " in each row");
  }
}
