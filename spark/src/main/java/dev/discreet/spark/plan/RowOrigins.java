package dev.discreet.spark.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.ExternalRDD;
import org.apache.spark.sql.execution.FileRelation;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.jdk.javaapi.CollectionConverters;

/** Where the rows of a table come from that a plan reads. */
final class RowOrigins {
  private RowOrigins() {}

  /** Names of them: two tables that have one in common may have rows in common. */
  static Set<Object> of(LogicalPlan table) {
    Set<Object> origins = new HashSet<>();
    Optional<RDD<?>> rows = rows(table);
    if (rows.isPresent()) {
      for (RDD<?> each : lineage(rows.get())) {
        if (each instanceof FileScanRDD files) {
          CollectionConverters.asJava(files.filePartitions())
              .forEach(part -> List.of(part.files()).forEach(f -> origins.add(f.urlEncodedPath())));
        } else if (each.dependencies().isEmpty()) {
          origins.add(List.of("RDD", each.id()));
        }
      }
    } else if (table instanceof LogicalRelation read
        && read.relation() instanceof FileRelation files) {
      origins.addAll(List.of(files.inputFiles()));
    } else if (table instanceof LogicalRelation read) {
      origins.add(read.relation().getClass());
    } else if (table instanceof HiveTableRelation read) {
      origins.add(read.tableMeta().identifier());
    } else if (table instanceof LocalRelation read) {
      origins.add(List.of("rows", System.identityHashCode(read.data())));
    } else {
      origins.add(table.getClass());
    }
    return origins;
  }

  /** What a table is made of, where it is an RDD. */
  static Optional<RDD<?>> rows(LogicalPlan table) {
    return table instanceof LogicalRDD made
        ? Optional.of(made.rdd())
        : table instanceof ExternalRDD<?> made ? Optional.of(made.rdd()) : Optional.empty();
  }

  /** An RDD and all that it is made of. */
  static List<RDD<?>> lineage(RDD<?> rows) {
    Deque<RDD<?>> open = new ArrayDeque<>(List.of(rows));
    Map<Integer, RDD<?>> all = new HashMap<>();
    while (!open.isEmpty()) {
      RDD<?> each = open.remove();
      if (all.put(each.id(), each) == null) {
        CollectionConverters.asJava(each.dependencies()).forEach(by -> open.add(by.rdd()));
      }
    }
    return List.copyOf(all.values());
  }
}
