package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.cli.console.Converters;
import dev.discreet.cli.console.OneLineErrors;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.recipe.setup.DatabaseChoices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Several questions of a file, by one plan and at one price. */
@Command(
    name = "ask",
    description =
        "Answers all questions of a file, at one price that is split by their weights and set aside"
            + " before the first is answered. Options go before the same keys of the file.",
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = AskCommand.PriceInFile.class)
final class AskCommand implements Callable<Integer> {
  private static final Map<String, Supplier<QueryCommand.Verb>> VERBS =
      Map.of(
          "count", QueryCommand.Count::new,
          "sum", QueryCommand.Sum::new,
          "mean", QueryCommand.Mean::new,
          "variance", QueryCommand.Variance::new,
          "ratio", QueryCommand.Ratio::new,
          "histogram", QueryCommand.Histogram::new,
          "quantile", QueryCommand.Quantile::new);

  private static final String EPSILON = "--epsilon";
  private static final String DELTA = "--delta";

  /** Who runs a file that somebody sent decides what is paid from, and where it is written. */
  private static final Set<String> TYPED =
      Set.of(
          "query",
          "driver",
          "account",
          "pass-over-account",
          "break-account",
          "ledger",
          "budget-epsilon",
          "budget-delta",
          "accept-misfits",
          "insecure-seed",
          "json",
          "out",
          "plot");

  /** Parts of all, whose sum is not to be above it by rounding. */
  static final double LESS = 1 - 0x1p-40;

  @Parameters(paramLabel = "FILE.yaml", description = "What is asked: keys below questions.")
  private Path file;

  @Mixin private FrameOptions frame;

  @Spec private CommandSpec spec;

  /** The price may stand in the file. */
  static final class PriceInFile implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      OptionSpec price = spec.findOption(EPSILON);
      spec.remove(price);
      spec.addOption(OptionSpec.builder(price).required(false).build());
      return new SettingOptions.OfQuestion().transform(spec);
    }
  }

  /** What all questions have, from the file and the options together. */
  @Command(name = "ask", modelTransformer = SettingOptions.OfQuestion.class)
  static final class Together implements Runnable {
    @Mixin FrameOptions frame;

    @Override
    public void run() {}
  }

  @Override
  public Integer call() throws IOException {
    QuestionFile read = QuestionFile.read(file);
    Together together = new Together();
    CommandLine all =
        Converters.registered(new CommandLine(together))
            .setCommandName(spec.qualifiedName())
            .setOut(spec.commandLine().getOut())
            .setErr(spec.commandLine().getErr());
    List<String> shared = shared(read, all.getCommandSpec());
    parse("", all, shared);
    double weights = 0;
    double withDelta = 0;
    for (QuestionFile.Asked asked : read.questions()) {
      Check.that(
          VERBS.containsKey(asked.verb()),
          asked.place() + "ask",
          "one of " + VERBS.keySet().stream().sorted().collect(Collectors.joining(", ")),
          asked.verb());
      weights += asked.weight();
      withDelta += isChoice(asked) ? 0 : asked.weight();
    }
    List<Question> questions = new ArrayList<>();
    for (QuestionFile.Asked asked : read.questions()) {
      double part = LESS * asked.weight() / weights;
      double delta = isChoice(asked) ? 0 : LESS * asked.weight() / withDelta;
      questions.add(
          question(asked, shared, part * together.frame.epsilon(), delta * together.frame.delta()));
    }
    return together.frame.ask("ask", questions);
  }

  /** A quantile has the exponential mechanism, and no δ. */
  private static boolean isChoice(QuestionFile.Asked asked) {
    return asked.verb().equals("quantile");
  }

  /** The options that were typed, and the file's keys that were not. */
  private List<String> shared(QuestionFile read, CommandSpec known) {
    List<String> arguments = new ArrayList<>();
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (known.findOption(option.longestName()) != null) {
        arguments.addAll(written(option, option.originalStringValues()));
      }
    }
    for (QuestionFile.Key key : read.shared()) {
      OptionSpec option = known.findOption("--" + key.name());
      if (option == null) {
        throw key.unknown("of all questions; discreet query ask --help lists what is known");
      }
      Check.that(
          !TYPED.contains(key.name()), key.place() + key.name(), "given as an option", "a key");
      if (!spec.commandLine().getParseResult().hasMatchedOption(option.longestName())) {
        arguments.addAll(written(key, option));
        if (key.name().equals("data")) {
          key.values().stream()
              .filter(DatabaseAddress::is)
              .forEach(each -> DatabaseChoices.checkCalled(key.place(), each));
        }
      }
    }
    return arguments;
  }

  private static List<String> written(QuestionFile.Key key, OptionSpec option) {
    if (option.arity().max() == 0) {
      String value = key.values().get(0);
      Check.that(
          value.matches("true|false") && key.values().size() == 1,
          key.place() + key.name(),
          "true or false",
          value);
      return value.equals("true") ? List.of(option.longestName()) : List.of();
    }
    return written(option, key.values());
  }

  private static List<String> written(OptionSpec option, List<String> values) {
    return option.arity().max() == 0
        ? List.of(option.longestName())
        : values.stream().map(value -> option.longestName() + "=" + value).toList();
  }

  private static Question question(
      QuestionFile.Asked asked, List<String> shared, double epsilon, double delta) {
    QueryCommand.Verb verb = VERBS.get(asked.verb()).get();
    CommandLine command = Converters.registered(new CommandLine(verb));
    CommandSpec ofAll = new CommandLine(new Together()).getCommandSpec();
    List<String> arguments = new ArrayList<>(List.of(EPSILON + "=" + Digits.shortest(epsilon)));
    Stream<String> left =
        shared.stream()
            .filter(each -> !each.startsWith(EPSILON + "=") && !each.startsWith(DELTA + "="))
            .filter(each -> !isChoice(asked) || !each.startsWith("--mechanism="));
    left.forEach(arguments::add);
    if (delta > 0) {
      arguments.add(DELTA + "=" + Digits.shortest(delta));
    }
    for (QuestionFile.Key key : asked.keys()) {
      OptionSpec option = command.getCommandSpec().findOption("--" + key.name());
      if (option == null) {
        throw key.unknown(
            "of a question; discreet query " + asked.verb() + " --help lists what is known");
      }
      Check.that(
          ofAll.findOption("--" + key.name()) == null,
          key.place() + key.name(),
          "of all questions together, before them",
          "a key of one");
      arguments.addAll(written(key, option));
    }
    parse(asked.place(), command, arguments);
    try {
      return verb.question();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(asked.place() + e.getMessage(), e);
    }
  }

  private static void parse(String place, CommandLine command, List<String> arguments) {
    try {
      command.parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new IllegalArgumentException(place + OneLineErrors.words(e), e);
    }
  }
}
