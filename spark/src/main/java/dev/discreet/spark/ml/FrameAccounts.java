package dev.discreet.spark.ml;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.CoveringAccounts;
import dev.discreet.accounting.Check;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.FileRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.jdk.javaapi.CollectionConverters;

/** Accounts of the files that a frame is read from, which a run on these files would charge. */
final class FrameAccounts {
  private FrameAccounts() {}

  /**
   * Refuses to pass over an account that covers a file of this machine.
   *
   * @param stage whose account is set or not
   * @param set the place of the account that it has
   */
  static void refuse(Dataset<Row> frame, String stage, Optional<String> set) {
    Optional<String> paying =
        set.map(place -> Account.at(AccountPlaces.of(place)).last().state().id());
    for (String file : files(frame)) {
      if (file.startsWith("file:")) {
        for (Account each : CoveringAccounts.of(Path.of(URI.create(file)), Optional.empty())) {
          Check.that(
              paying.equals(Optional.of(each.last().state().id())),
              "account of " + stage,
              "set to that of the frame's files: " + each.place(),
              set.orElse("none"));
        }
      }
    }
  }

  /** Also those below a cache, of which the optimized plan does not tell. */
  private static Set<String> files(Dataset<Row> frame) {
    Set<String> files = new LinkedHashSet<>(Arrays.asList(frame.inputFiles()));
    if (frame instanceof org.apache.spark.sql.classic.Dataset<Row> here) {
      add(here.queryExecution().analyzed(), files);
    }
    return files;
  }

  private static void add(LogicalPlan plan, Set<String> files) {
    if (plan instanceof LogicalRelation read && read.relation() instanceof FileRelation relation) {
      files.addAll(Arrays.asList(relation.inputFiles()));
    }
    CollectionConverters.asJava(plan.children()).forEach(below -> add(below, files));
    CollectionConverters.asJava(plan.subqueries()).forEach(below -> add(below, files));
  }
}
