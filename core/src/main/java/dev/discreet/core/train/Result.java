package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Privacy.Guaranteed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A trained model and what it cost. All of it may be released: it holds only what went through the
 * privacy session and what was public before, unless the run was non-private by name, and then it
 * says so first.
 *
 * <pre>{@code
 * Result result = Trainer.of(network, plan).learningRate(0.5).train(examples);
 * System.out.println(result.privacy().statement());
 * result.save(Path.of("run"));
 * }</pre>
 *
 * @param privacy guarantee, ledger and statement
 * @param model with the averaged parameters where the run had an average, else the last ones
 * @param steps taken; fewer than planned where the run was stopped, whose stated cost is the whole
 *     plan's all the same
 * @param evaluations on the declared public test set, in order of time, those of earlier parts of a
 *     resumed run included; empty without such a set
 * @param provenance what ran: versions, settings, where the randomness came from
 * @param heldOut the score on held-out units; empty unless {@link
 *     dev.discreet.core.evaluate.TestSet.Released} asked for it, and where a run that was cut short
 *     had paid for it before
 */
@PublicApi
public record Result(
    Privacy privacy,
    Model model,
    long steps,
    List<Event.Evaluated> evaluations,
    Provenance provenance,
    Optional<NoisyScore> heldOut) {
  /** What only a result may say of itself in {@code run.json}, whether or not this one does. */
  private static final Set<String> OWN =
      Set.of(
          "privacy",
          "private",
          "epsilon",
          "epsilonLower",
          "delta",
          "epsilonWithSecretKeys",
          "epsilonLowerWithSecretKeys",
          "deltaWithSecretKeys",
          "accountant",
          "lengthIsOutsideTheGuarantee");

  /** Copies the list. */
  public Result {
    evaluations = List.copyOf(evaluations);
  }

  /**
   * Without held-out units.
   *
   * @param privacy what the run promises
   * @param model the trained model
   * @param steps taken
   * @param evaluations on the declared public test set, in order of time
   * @param provenance how the model came about
   */
  public Result(
      Privacy privacy,
      Model model,
      long steps,
      List<Event.Evaluated> evaluations,
      Provenance provenance) {
    this(privacy, model, steps, evaluations, provenance, Optional.empty());
  }

  /**
   * The certified ε at the plan's δ; infinite in a run without privacy or without secret keys.
   *
   * @return ε
   */
  public double epsilon() {
    return privacy instanceof Guaranteed kept && kept.secure()
        ? kept.guarantee().epsilon()
        : Double.POSITIVE_INFINITY;
  }

  /**
   * The same result, whose privacy statement says one thing more at its end.
   *
   * @param note what is to be said
   * @return that result; this one stays as it is
   */
  public Result noting(StatementParagraph note) {
    return new Result(privacy.noting(note), model, steps, evaluations, provenance, heldOut);
  }

  /**
   * The last evaluation on the public test set.
   *
   * @return empty without a public test set
   */
  public Optional<Evaluation> evaluation() {
    return evaluations.isEmpty()
        ? Optional.empty()
        : Optional.of(evaluations.get(evaluations.size() - 1).evaluation());
  }

  /**
   * Writes {@code model.safetensors}, {@code model.json}, {@code run.json}, {@code privacy.txt}
   * and, where the steps were private and the keys secret, {@code ledger.json}, with the conditions
   * that it is no promise without.
   *
   * @param folder is made where it is missing
   * @throws IOException where a file cannot be written
   */
  public void save(Path folder) throws IOException {
    save(folder, Map.of());
  }

  /**
   * Writes the same files, with more in {@code run.json}.
   *
   * @param folder is made where it is missing
   * @param more fields of {@code run.json}, after those of the result; none may depend on private
   *     rows, and names that a result gives to its own fields are refused
   * @throws IOException where a file cannot be written
   */
  public void save(Path folder, Map<String, Object> more) throws IOException {
    Map<String, Object> fields = fields();
    for (String name : more.keySet()) {
      Check.that(
          !fields.containsKey(name) && !OWN.contains(name) && !name.startsWith("heldOut"),
          "field of run.json",
          "none of the result's own",
          name);
    }
    fields.putAll(more);
    model.save(folder);
    Path ledger = folder.resolve(RunFiles.LEDGER);
    if (privacy.paid().isPresent()) {
      AtomicFile.write(ledger, privacy.paid().get().toJson() + "\n");
    } else {
      Files.deleteIfExists(ledger);
    }
    AtomicFile.write(folder.resolve(RunFiles.STATEMENT), privacy.statement());
    AtomicFile.write(folder.resolve(RunFiles.RESULT), JsonFields.write(fields));
  }

  /**
   * One JSON object, the privacy headline first.
   *
   * @return the text of {@code run.json}
   */
  public String toJson() {
    return JsonFields.write(fields());
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("privacy", privacy.headline());
    fields.put("private", privacy instanceof Guaranteed kept && kept.secure());
    if (privacy instanceof Guaranteed kept) {
      // Under the name of a promise only where one is made.
      String ifSecret = kept.secure() ? "" : "WithSecretKeys";
      fields.put("epsilon" + ifSecret, JsonFields.number(kept.guarantee().epsilon()));
      fields.put("epsilonLower" + ifSecret, JsonFields.number(kept.guarantee().epsilonLower()));
      fields.put("delta" + ifSecret, kept.guarantee().delta());
      fields.put("accountant", kept.guarantee().accountant());
      if (kept.steered()) {
        fields.put("lengthIsOutsideTheGuarantee", true);
      }
    }
    fields.put("steps", steps);
    fields.put("configuration", provenance.configuration().texts());
    fields.put("seeds", provenance.seeds().text());
    fields.put("version", provenance.version());
    heldOut.ifPresent(score -> fields.putAll(score.fields()));
    fields.put("evaluations", evaluations.stream().map(Event.Evaluated::fields).toList());
    return fields;
  }
}
