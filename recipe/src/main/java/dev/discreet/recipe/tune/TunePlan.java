package dev.discreet.recipe.tune;

import dev.discreet.account.AccountOutlook;
import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.core.files.Sha256;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Target;
import dev.discreet.data.DataSet;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RecipeData;
import dev.discreet.recipe.RunFolder;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.setup.TrainingSetup.HeldOut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;

/**
 * A search with every choice made and nothing done yet. The noise of each candidate is found
 * already, and is such that the whole search keeps to its budget.
 *
 * @param setups one run of each candidate
 * @param ledger of the whole search
 * @param cost of the whole search
 * @param payer who pays for it
 * @param digest of the file to search again
 */
public record TunePlan(
    TuneSection section,
    List<TrainingSetup> setups,
    Ledger ledger,
    Guarantee cost,
    PayingAccount payer,
    String digest) {
  /**
   * Settings that no ledger depends on, besides those of the optimizer. What the views are is none
   * of them: where no model is named, that decides of features, and with them of lots and steps.
   */
  private static final Set<Setting<?>> NEUTRAL =
      Set.of(
          ClippingSettings.CLIP,
          ModelSettings.EMA,
          ModelSettings.INITIALISER,
          ModelSettings.INITIAL_SEED,
          ClippingSettings.NOISE_BEFORE_CLIPPING,
          LotSettings.VIEWS);

  /** A search on the data that its recipe names. */
  public static TunePlan of(Recipe base, TuneSection section, Preparation how) throws IOException {
    return of(RecipeData.open(base, how, "tune"), section);
  }

  /** A search on data that are there already. */
  public static TunePlan of(Recipe base, TuneSection section, DataSet data, Preparation how)
      throws IOException {
    return of(RecipeData.of(base, data, how), section);
  }

  /** A search on rows that may be elsewhere, where it is known who pays. */
  public static TunePlan of(RecipeData base, TuneSection section) throws IOException {
    section.candidates().forEach(candidate -> refuse(candidate.over(base.recipe()).values()));
    try {
      return new Maker(base.recipe(), section, base.data(), base.payer()).plan();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Refuses runs that a search cannot have: those that would keep or show something of runs that
   * lost, or that its promise does not hold for.
   */
  public static void refuse(SettingValues given) {
    EffectiveSettings all = new EffectiveSettings(given);
    all.refuse(
        "is not for discreet tune: what it keeps would tell of runs that lost",
        RunSettings.CHECKPOINTS,
        RunSettings.CHECKPOINT_EVERY);
    all.refuse(
        "is not for discreet tune: what it shows would tell of runs that lost",
        RunSettings.WATCH_PRIVATE);
    all.refuse(
        "is not for discreet tune, whose promise it would end", ModelSettings.START_NOT_PRIVATE);
    all.refuse(
        "is not for discreet tune, which finds it by --metric-share", PrivacySettings.METRIC_NOISE);
    all.refuse(
        "is not for discreet tune, which finds the noise for its budget",
        PrivacySettings.NOISE_TEMPERATURE);
    if (given.get(PrivacySettings.CENTRE_SHARE).orElse(0.0) > 0) {
      all.refuse(
          "must be 0 in discreet tune, whose runs take no mean off features",
          PrivacySettings.CENTRE_SHARE);
    }
    Check.that(
        !given.get(UnitSettings.UNIT).orElse("").equals(MicroBatches.UNIT),
        "unit of discreet tune",
        "another noun: each run has micro-batches of its own",
        MicroBatches.UNIT);
    Check.that(
        !given.has(PrivacySettings.NON_PRIVATE),
        "run of discreet tune",
        "private: a search that protects no one has nothing to pay for",
        "non-private");
  }

  /** What the search would take of the account that pays for it; empty where none does. */
  public Optional<AccountOutlook> outlook() {
    return payer.outlook(ledger);
  }

  /** Refuses a search that the account has no room for. */
  public void checkRoom() {
    ResolvedPlan first = setups.get(0).plan();
    payer.checkRoom(
        new LedgerFile(ledger, first.unit(), first.publicNumber(), false, ""),
        state -> "A search with fewer runs, fewer steps or more noise may fit");
  }

  /** What one run of each candidate costs. */
  public List<Ledger> ledgers() {
    return setups.stream().map(setup -> setup.plan().ledger()).toList();
  }

  /** A candidate in words: what it has of its own. */
  public String words(int candidate) {
    List<String> words = new ArrayList<>();
    own(candidate).forEach((name, value) -> words.add(name + " " + value));
    return String.join(", ", words);
  }

  /** What a candidate has of its own. */
  public Map<String, String> own(int candidate) {
    Map<String, String> own = new LinkedHashMap<>();
    section
        .candidates()
        .get(candidate)
        .values()
        .values()
        .forEach((setting, value) -> own.put(setting.name(), String.join(",", value.texts())));
    return own;
  }

  /**
   * Noise multipliers of what a run releases once besides its steps, which no candidate changes.
   *
   * @param score 0 where it is not released
   * @param pca of principal directions; 0 where no candidate has them
   */
  private record Once(double score, double pca) {
    static Once of(TrainingSetup setup, boolean released) {
      // The score is the last of them.
      List<Mechanism> besides = setup.plan().besides();
      return new Once(
          released ? ((Mechanism.Gaussian) besides.get(besides.size() - 1)).noiseMultiplier() : 0,
          setup.pca().map(PcaLayer::noiseMultiplier).orElse(0.0));
    }

    Once or(Once other) {
      return new Once(score > 0 ? score : other.score, pca > 0 ? pca : other.pca);
    }
  }

  private record Maker(Recipe base, TuneSection section, TrainingRows data, PayingAccount payer) {

    TunePlan plan() {
      List<Recipe> merged =
          section.candidates().stream().map(candidate -> candidate.over(base)).toList();
      TrainingSetup probe = setup(merged.get(0), 1, new Once(0, 4));
      boolean released = probe.heldOut() == HeldOut.RELEASED;
      Check.that(
          released || probe.heldOut() == HeldOut.PUBLIC,
          "score of discreet tune",
          "on rows that are public (--public-test) or on held-out ones that are released"
              + " (--held-out released, under add/remove)",
          probe.heldOut() == HeldOut.NONE ? "none" : "for the operator's eyes only");
      boolean given = base.sets(PrivacySettings.NOISE_MULTIPLIER);
      boolean each = section.budget().orElse(given ? "each" : "total").equals("each");
      Check.that(
          each || !given,
          "budget of runs with a noise multiplier",
          "each: their noise is given, and the search costs what it costs",
          "total");
      List<Integer> kinds = kinds(merged);
      List<Double> noise = new ArrayList<>(Collections.nCopies(merged.size(), Double.NaN));
      Once once = new Once(0, 0);
      if (each) {
        for (int i = 0; i < merged.size(); i++) {
          TrainingSetup first = kinds.get(i) == i ? setup(merged.get(i)) : null;
          noise.set(i, first == null ? noise.get(kinds.get(i)) : first.plan().multiplier(0));
          once = first == null ? once : once.or(Once.of(first, released));
        }
      } else {
        once = once(probe, merged, released);
        fit(probe.delta(), merged, kinds, noise, once);
      }
      List<TrainingSetup> setups = new ArrayList<>();
      for (int i = 0; i < merged.size(); i++) {
        setups.add(setup(merged.get(i), noise.get(i), once));
      }
      List<Ledger> ledgers = setups.stream().map(setup -> setup.plan().ledger()).toList();
      Ledger whole = section.search().ledger(ledgers);
      Guarantee cost = new PldAccountant().epsilon(whole, probe.delta());
      String again =
          RunFile.text("", RunFolder.withoutPlaces(base.values().inOrder()), section.node());
      return new TunePlan(section, setups, whole, cost, payer, Sha256.hex(again));
    }

    /** What the whole search may cost. */
    private Target target(double delta) {
      return base.get(PrivacySettings.SHARE)
          .map(share -> payer.target(share, delta))
          .orElseGet(
              () -> new Target.OfEpsilon(base.values().orDefault(PrivacySettings.EPSILON), delta));
    }

    private Accountant accountant() {
      return section.search().match(random -> new RdpAccountant(), grid -> new PldAccountant());
    }

    /** As in a single run: the noise of one Gaussian that costs the whole, divided by √share. */
    private Once once(TrainingSetup probe, List<Recipe> merged, boolean released) {
      boolean directed = merged.stream().anyMatch(each -> each.sets(ModelSettings.PCA));
      if (!released && !directed) {
        return new Once(0, 0);
      }
      double whole =
          noise(
              probe.delta(),
              merged.size(),
              sigma -> Ledger.of(probe.plan().neighbouring(), new Mechanism.Gaussian(sigma), 1));
      double score = base.values().orDefault(PrivacySettings.METRIC_SHARE);
      double pca = base.values().orDefault(PrivacySettings.PCA_SHARE);
      return new Once(
          released ? whole / Math.sqrt(score) : 0, directed ? whole / Math.sqrt(pca) : 0);
    }

    /** The noise for a search whose candidates all have the same ledger. */
    private double noise(double delta, int candidates, DoubleFunction<Ledger> one) {
      return target(delta)
          .noiseMultiplier(
              accountant(),
              sigma -> section.search().ledger(Collections.nCopies(candidates, one.apply(sigma))));
    }

    /**
     * Finds the noise of each kind of candidate as if all were of that kind, and then one factor
     * for all kinds together. This keeps to the budget, and nearly reaches it.
     */
    private void fit(
        double delta, List<Recipe> merged, List<Integer> kinds, List<Double> noise, Once once) {
      boolean several = kinds.stream().distinct().count() > 1;
      for (int i = 0; i < merged.size(); i++) {
        int kind = i;
        noise.set(
            i,
            kinds.get(i) < i
                ? noise.get(kinds.get(i))
                : noise(
                    delta,
                    merged.size(),
                    sigma -> setup(merged.get(kind), sigma, once).plan().ledger()));
      }
      if (several) {
        double factor =
            target(delta)
                .noiseMultiplier(
                    accountant(),
                    all -> section.search().ledger(ledgers(merged, kinds, noise, all, once)));
        noise.replaceAll(sigma -> factor * sigma);
      }
    }

    /** The ledger of each candidate with all noise multiplied by one factor. */
    private List<Ledger> ledgers(
        List<Recipe> merged, List<Integer> kinds, List<Double> noise, double factor, Once once) {
      List<Ledger> ledgers = new ArrayList<>();
      for (int i = 0; i < merged.size(); i++) {
        ledgers.add(
            kinds.get(i) < i
                ? ledgers.get(kinds.get(i))
                : setup(merged.get(i), factor * noise.get(i), once).plan().ledger());
      }
      return ledgers;
    }

    /** For each candidate, the first candidate whose runs cost the same at the same noise. */
    private static List<Integer> kinds(List<Recipe> merged) {
      Map<Recipe, Integer> first = new LinkedHashMap<>();
      List<Integer> kinds = new ArrayList<>();
      for (Recipe recipe : merged) {
        Recipe key =
            Recipe.of(
                recipe
                    .values()
                    .only(
                        setting ->
                            setting.group() != Group.OPTIMIZER && !NEUTRAL.contains(setting)));
        first.putIfAbsent(key, kinds.size());
        kinds.add(first.get(key));
      }
      return kinds;
    }

    private TrainingSetup setup(Recipe given, double noise, Once once) {
      Recipe found = given.with(PrivacySettings.NOISE_MULTIPLIER, noise);
      if (once.score > 0) {
        found = found.with(PrivacySettings.METRIC_NOISE, once.score);
      }
      boolean directed = given.sets(ModelSettings.PCA) && !given.sets(PrivacySettings.PCA_NOISE);
      return setup(
          directed && once.pca > 0 ? found.with(PrivacySettings.PCA_NOISE, once.pca) : found);
    }

    /** Without the mean of features, of which no candidate has a share: all are tuned without. */
    private TrainingSetup setup(Recipe given) {
      EffectiveSettings choices =
          new EffectiveSettings(given.with(PrivacySettings.CENTRE_SHARE, 0.0).values());
      try {
        return TrainingSetup.of(choices, data, payer, line -> {});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
