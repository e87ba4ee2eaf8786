package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A process that spends on an account until it is killed, or until there is nothing left. It tells
 * on standard out, without a buffer, which lines it knows to be in the account ({@code line NUMBER
 * HASH}) and what it has released ({@code released RUN}).
 */
public final class SpendingProcess {
  static final String UNIT = "person";
  static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  static final Mechanism ANSWER = new Mechanism.Laplace(8);

  /** How many answers a run reserves at once in {@code race}. */
  static final int TOGETHER = 3;

  private static final FileOutputStream CHANNEL = new FileOutputStream(FileDescriptor.out);

  private final Account account;
  private final Path folder;

  private SpendingProcess(Account account, Path folder) {
    this.account = account;
    this.folder = folder;
  }

  /** The command that starts one. */
  static List<String> command(String work, AccountStore store, Path folder) {
    boolean inFile = store instanceof AccountFile;
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-Xmx256m",
        "-cp",
        System.getProperty("java.class.path"),
        SpendingProcess.class.getName(),
        work,
        inFile ? ((AccountFile) store).path().toString() : ((AccountDatabase) store).url(),
        inFile ? "" : store.user(),
        inFile ? "" : ((AccountDatabase) store).name(),
        folder.toString());
  }

  /**
   * @param args what to do; the account's file, or the address, user and name of one in a database;
   *     a folder for journals
   */
  public static void main(String[] args) throws IOException {
    AccountStore store =
        args[1].startsWith("jdbc:")
            ? PostgresServer.as(args[1], args[2], args[3])
            : new AccountFile(Path.of(args[1]));
    SpendingProcess process = new SpendingProcess(Account.at(new Telling(store)), Path.of(args[4]));
    tell("ready");
    if (args[0].equals("race")) {
      System.in.read(); // so that all begin at once
    }
    try {
      while (true) {
        switch (args[0]) {
          case "ask" -> process.ask(Optional.empty());
          case "race" ->
              process.ask(
                  Optional.of(
                      new LedgerFile(
                          Ledger.of(RELATION, ANSWER, TOGETHER), UNIT, 100, true, "pld")));
          case "train" -> process.train();
          default -> throw new IllegalArgumentException(args[0]);
        }
      }
    } catch (IllegalArgumentException e) {
      if (!String.valueOf(e.getMessage()).contains("at most its limit")) {
        throw e;
      }
      tell("refused");
    }
  }

  static Path journalOfAnswers(Path folder, String run) {
    return folder.resolve(run + ".journal");
  }

  /** A few answers, each of which is told before it has its noise. */
  private void ask(Optional<LedgerFile> plan) {
    String run = Account.newRun();
    try (PrivacySession session =
        PrivacySession.open(
            Journal.file(journalOfAnswers(folder, run), RELATION, UNIT),
            Randomness.secure(),
            account.budget(run, new Purpose("query", "", ""), UNIT))) {
      plan.ifPresent(session::intend);
      for (int i = 0; i < TOGETHER; i++) {
        session.release(
            ANSWER,
            id -> {
              tell("released " + run);
              return new GridVector(new long[] {40}, 0, Norm.L1, 1);
            });
      }
    }
  }

  /** Resumes a training that was cut short, or begins one. Steps are told when they are taken. */
  private void train() throws IOException {
    Optional<Path> left;
    try (Stream<Path> runs = Files.list(folder)) {
      left =
          runs.filter(run -> Files.exists(run.resolve(RunFiles.JOURNAL)))
              .filter(run -> Files.notExists(run.resolve("done")))
              .findFirst();
    }
    String run =
        left.flatMap(each -> account.runOf(Journal.read(each.resolve(RunFiles.JOURNAL))))
            .orElseGet(Account::newRun);
    Path own = left.orElse(folder.resolve(run));
    PrivacyPlan plan =
        PrivacyPlan.noise(4).lotSize(10).steps(400).clip(1).unit(UNIT).oneRowEach().build();
    Trainer trainer =
        Trainer.of(Network.parse("dense(2)"), plan)
            .learningRate(0.2)
            .checkpoints(own, 8)
            .budget(() -> account.budget(run, new Purpose("train", "", ""), UNIT))
            .listener(
                event -> {
                  if (event instanceof Event.StepDone) {
                    tell("released " + run);
                  }
                });
    Examples rows = Examples.of(Shape.vector(2), new float[200], 1, new float[100]);
    if (left.isPresent()) {
      tell("resumed");
      trainer.resume(rows, null);
    } else {
      trainer.train(rows);
    }
    Files.createFile(own.resolve("done"));
  }

  private static void tell(String line) {
    try {
      CHANNEL.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells of each line when the store has said that it is there. */
  private record Telling(AccountStore store) implements AccountStore {
    @Override
    public List<String> after(long known) {
      return store.after(known);
    }

    @Override
    public void append(long known, Function<List<String>, Optional<String>> next) {
      String[] told = {null};
      store.append(
          known,
          news -> {
            Optional<String> line = next.apply(news);
            line.ifPresent(
                each -> told[0] = "line " + (known + news.size()) + " " + AccountLine.hash(each));
            return line;
          });
      if (told[0] != null) {
        tell(told[0]);
      }
    }

    @Override
    public String place() {
      return store.place();
    }

    @Override
    public String name() {
      return store.name();
    }

    @Override
    public String user() {
      return store.user();
    }
  }
}
