package dev.discreet.cli.console;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.recipe.setting.OtherNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what went wrong in one line of standard error.
 *
 * <p>Wrong usage (2) is what picocli cannot parse and what the library refuses with an {@link
 * IllegalArgumentException}, and a file that is not there; anything else is a failure (1).
 */
public final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  // Looks at each blank once, also in a message of very many.
  private static final Pattern LINE_END = Pattern.compile("(?<!\\h)\\h*+\\R\\s*+");

  private final PrintWriter err;
  private final BooleanSupplier debug;

  public OneLineErrors(PrintWriter err, BooleanSupplier debug) {
    this.err = err;
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    return usage(e.getCommandLine().getCommandSpec().qualifiedName(), words(e), e);
  }

  /** What is wrong with arguments, and what is allowed. */
  public static String words(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    ArgSpec at =
        e instanceof MissingParameterException missing
            ? missing.getMissing().get(0)
            : e.getArgSpec();
    return at instanceof OptionSpec option ? misused(option, e) : e.getMessage();
  }

  private static String misused(OptionSpec option, ParameterException e) {
    if (e instanceof MissingParameterException) {
      String takes = String.join(" ", option.description());
      return option.longestName() + " needs a value " + option.paramLabel() + ": " + takes;
    } else if (option.arity().max() == 0) {
      return option.longestName() + " takes no value";
    }
    // A converter's own words; picocli would wrap them in "Invalid value for option …".
    boolean refused = e.getCause() instanceof IllegalArgumentException;
    return refused ? e.getCause().getMessage() : e.getMessage();
  }

  private static String unknown(UnmatchedArgumentException e) {
    String given = e.getUnmatched().get(0);
    // It may have a password.
    String argument = DatabaseAddress.is(given) ? "jdbc:…" : given;
    CommandLine command = e.getCommandLine();
    boolean verb = !e.isUnknownOption() && !command.getSubcommands().isEmpty();
    String what = e.isUnknownOption() ? "option" : verb ? "verb" : "argument";
    Optional<String> meant =
        e.isUnknownOption()
            ? OtherNames.option(argument.replaceAll("=.*", ""), longNames(command))
            : verb ? MeantVerb.verb(argument, command) : Optional.empty();
    String hint = "";
    if (meant.isPresent()) {
      hint = "; did you mean " + meant.get() + "?";
    } else if (verb) {
      hint = "; the verbs are " + String.join(", ", command.getSubcommands().keySet());
    } else if (what.equals("argument") && command.getCommandSpec().findOption("--data") != null) {
      hint = "; data are given as --data " + argument;
    } else {
      hint = "; " + command.getCommandSpec().qualifiedName() + " --help lists what is known";
    }
    return "unknown " + what + " '" + argument + "'" + hint;
  }

  private static List<String> longNames(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .map(OptionSpec::longestName)
        .toList();
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    String name = command.getCommandSpec().qualifiedName();
    if (e instanceof UncheckedIOException unchecked) {
      return failed(name, unchecked.getCause());
    }
    return e instanceof IllegalArgumentException ? usage(name, e.getMessage(), e) : failed(name, e);
  }

  /** A file is looked for only where its name was given. */
  private static boolean isMissing(Throwable e) {
    return e instanceof NoSuchFileException || e.getCause() instanceof NoSuchFileException;
  }

  private int usage(String name, String message, Exception e) {
    print(name, message, e);
    return ExitCode.USAGE;
  }

  public int failed(String name, Throwable e) {
    print(name, e instanceof IOException io ? words(io) : words(e), e);
    return isMissing(e) ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  private static String words(IOException e) {
    if (e instanceof NoSuchFileException missing) {
      return "there is no " + missing.getFile();
    } else if (e instanceof AccessDeniedException denied) {
      return "no permission for " + denied.getFile();
    } else if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    boolean inWords = e.getClass() == IOException.class && e.getMessage() != null;
    return inWords ? e.getMessage() : words((Throwable) e);
  }

  private static String words(Throwable e) {
    String message = e.getMessage();
    String kind = e.getClass().getSimpleName();
    return "failed (" + kind + (message == null ? "" : ": " + message) + "); --debug shows where";
  }

  private void print(String name, String message, Throwable e) {
    // What stands in a stranger's file must not steer a terminal.
    String line = Check.line(LINE_END.matcher(String.valueOf(message).strip()).replaceAll(" "));
    // An empty value cannot be seen.
    err.println(name + ": " + line + (line.endsWith("Provided value:") ? " (empty)" : ""));
    if (debug.getAsBoolean()) {
      e.printStackTrace(err);
    }
  }
}
