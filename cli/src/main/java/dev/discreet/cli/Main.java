package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.cli.account.AccountCommand;
import dev.discreet.cli.audit.AuditCommand;
import dev.discreet.cli.bench.BenchCommand;
import dev.discreet.cli.console.Converters;
import dev.discreet.cli.console.OneLineErrors;
import dev.discreet.cli.query.QueryCommand;
import dev.discreet.cli.train.DataCommand;
import dev.discreet.cli.train.EvaluateCommand;
import dev.discreet.cli.train.ExportCommand;
import dev.discreet.cli.train.GeometryCommand;
import dev.discreet.cli.train.PredictCommand;
import dev.discreet.cli.train.RegressCommand;
import dev.discreet.cli.train.TrainCommand;
import dev.discreet.cli.train.TuneCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code discreet}: it only hands over to its verbs. */
@Command(
    name = "discreet",
    description = "Differentially private machine learning, and what it cost.",
    subcommands = {
      TrainCommand.class,
      EvaluateCommand.class,
      PredictCommand.class,
      ExportCommand.class,
      DataCommand.class,
      RegressCommand.class,
      TuneCommand.class,
      EpsilonCommand.class,
      CalibrateCommand.class,
      CompareCommand.class,
      QueryCommand.class,
      AccountCommand.class,
      AuditCommand.class,
      GeometryCommand.class,
      ReproduceCommand.class,
      BenchCommand.class,
      HelpCommand.class,
      CompletionCommand.class,
      VersionCommand.class
    },
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs (discreet VERB --help says more):%n",
    footerHeading = "%n",
    footer = "Exit code 0: done, 1: failed, 2: wrong usage.")
public final class Main implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean debug;

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, utf8(FileDescriptor.out), utf8(FileDescriptor.err)));
  }

  /**
   * JSON is UTF-8 whatever the terminal's locale, so all of the output is. Not through System.out,
   * which would swallow a full disk.
   */
  private static PrintWriter utf8(FileDescriptor to) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(to), StandardCharsets.UTF_8));
  }

  /** The whole command but for the end of the process. */
  static int run(String[] args, PrintWriter out, PrintWriter err) {
    Main main = new Main();
    OneLineErrors errors = new OneLineErrors(err, () -> main.debug);
    CommandLine command =
        Converters.registered(new CommandLine(main))
            .setOut(out)
            .setErr(err)
            .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
            .setUsageHelpWidth(100)
            .registerConverter(Accountant.class, Accountants::named)
            .registerConverter(Sampling.Kind.class, Sampling.Kind::of)
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors);
    int code;
    try {
      code = command.execute(args);
    } catch (Error e) {
      code = errors.failed("discreet", e);
    }
    out.flush();
    if (out.checkError() && code == CommandLine.ExitCode.OK) {
      err.println("discreet: the result could not be written to standard out");
      code = CommandLine.ExitCode.SOFTWARE;
    }
    err.flush();
    return code;
  }

  /** Who types the name alone wants to know what there is to try. */
  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        """
        Discreet trains models on people's data, keeps each of them private, and says what that cost.

        Try first:
          discreet train                       a private model, on data that it makes itself
          discreet epsilon --help              what a training costs
          discreet query mean --help           one question to a table
          discreet train --data TABLE --help   your own rows
          discreet help                        every verb""");
  }

  /** The version that the build wrote into the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"discreet " + (version == null ? "(not built by Maven)" : version)};
    }
  }
}
