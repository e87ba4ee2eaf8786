package dev.discreet.spark;

import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.spark.PackedRows.Fingerprint;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Units in their buckets on the executors, for the steps of one key. Rows are shuffled once, here.
 *
 * <p>Which bucket a unit is in follows from the key and its id alone, and a partition has whole
 * buckets. So however many partitions there are and wherever they lie, no chunk of a sum is cut,
 * and one unit more or less moves no other.
 */
final class BucketedRows implements AutoCloseable {
  private final SamplingKey key;
  private final Broadcast<Secrets> secrets;
  private final JavaRDD<PackedRows> rows;

  /** What each partition held in the first step; null before it. */
  private SortedMap<Integer, Fingerprint> fingerprints;

  private BucketedRows(SamplingKey key, Broadcast<Secrets> secrets, JavaRDD<PackedRows> rows) {
    this.key = key;
    this.secrets = secrets;
    this.rows = rows;
  }

  /** Units that are averaged before clipping, and the key that assigns them. */
  record Grouping(MicroBatches batches, SamplingKey key) {}

  /** What executors need to know where units belong; its text tells nothing. */
  private static final class Secrets implements Serializable {
    private final byte[] buckets;
    private final byte[] groups;

    Secrets(SamplingKey buckets, Grouping grouping) {
      this.buckets = buckets.forWorkers();
      this.groups = grouping == null ? null : grouping.key().forWorkers();
    }
  }

  /**
   * @param named whether units have names of 128 bits
   * @param most how many examples of a member are kept
   * @param grouping null where units are no groups
   */
  static BucketedRows of(
      JavaSparkContext spark,
      JavaRDD<UnitRow> rows,
      boolean named,
      Shape input,
      int targets,
      int most,
      Grouping grouping,
      SamplingKey key,
      int buckets,
      int partitions) {
    Broadcast<Secrets> secrets = spark.broadcast(new Secrets(key, grouping));
    boolean grouped = grouping != null;
    MicroBatches batches = grouped ? grouping.batches() : null;
    // Groups have numbers, whatever their members have.
    boolean wide = named && !grouped;
    // A group without members stands in its bucket too, as it does on one machine.
    JavaRDD<UnitRow> units =
        !grouped
            ? rows
            : rows.mapPartitions(
                    each ->
                        new GroupedRows(
                            each, named, batches, SamplingKey.ofWorker(secrets.value().groups)))
                .union(
                    spark
                        .sc()
                        .range(0, batches.groups(), 1, partitions)
                        .toJavaRDD()
                        .map(group -> new UnitRow((Long) group, 0, null)));
    JavaRDD<PackedRows> packed =
        units
            .mapPartitionsToPair(each -> new Blocks(each, wide, secrets.value().buckets, buckets))
            .partitionBy(new WholeBuckets(Math.min(partitions, buckets)))
            .mapPartitionsWithIndex(
                (number, blocks) -> {
                  List<byte[]> mine = new ArrayList<>();
                  blocks.forEachRemaining(block -> mine.add(block._2()));
                  return List.of(PackedRows.of(number, wide, input, targets, most, mine))
                      .iterator();
                },
                true)
            .persist(StorageLevel.MEMORY_AND_DISK());
    packed.setName("discreet rows");
    return new BucketedRows(key, secrets, packed);
  }

  boolean isOf(SamplingKey other) {
    return key == other || Arrays.equals(key.forWorkers(), other.forWorkers());
  }

  /** One element a partition. */
  JavaRDD<PackedRows> rows() {
    return rows;
  }

  /** Refuses a sum that was not made of every partition once, with the rows of the first step. */
  void check(SortedMap<Integer, Fingerprint> summed) {
    if (summed.size() != rows.getNumPartitions()) {
      throw new IllegalStateException("a step must sum every partition once; the step was refused");
    }
    if (fingerprints == null) {
      fingerprints = summed;
    } else if (!fingerprints.equals(summed)) {
      throw new IllegalStateException(
          "the rows of a partition that was lost are others than before: their source has changed,"
              + " or is computed anew in another way. The step was refused");
    }
  }

  @Override
  public void close() {
    if (!rows.context().isStopped()) {
      rows.unpersist(false);
      secrets.destroy();
    }
  }

  /** Bucket b is in partition b modulo their number. */
  private static final class WholeBuckets extends Partitioner {
    private final int partitions;

    WholeBuckets(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object bucket) {
      return (Integer) bucket % partitions;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof WholeBuckets same && same.partitions == partitions;
    }

    @Override
    public int hashCode() {
      return partitions;
    }
  }

  /** Sorts rows into blocks, each of one bucket. */
  private static final class Blocks implements Iterator<Tuple2<Integer, byte[]>> {
    private static final int BATCH = 1024;
    // All open blocks of a task together.
    private static final int OPEN = 1 << 24;

    private final Iterator<UnitRow> rows;
    private final boolean named;
    private final SamplingKey key;
    private final int buckets;
    private final Map<Integer, RowBlock> open = new TreeMap<>();
    private final Deque<Tuple2<Integer, byte[]>> full = new ArrayDeque<>();

    Blocks(Iterator<UnitRow> rows, boolean named, byte[] secret, int buckets) {
      this.rows = rows;
      this.named = named;
      this.key = SamplingKey.ofWorker(secret);
      this.buckets = buckets;
    }

    @Override
    public boolean hasNext() {
      while (full.isEmpty() && rows.hasNext()) {
        batch();
      }
      if (full.isEmpty() && !open.isEmpty()) {
        open.forEach((bucket, block) -> full.add(new Tuple2<>(bucket, block.bytes())));
        open.clear();
      }
      return !full.isEmpty();
    }

    private void batch() {
      List<UnitRow> batch = new ArrayList<>(BATCH);
      while (batch.size() < BATCH && rows.hasNext()) {
        batch.add(rows.next());
      }
      List<UnitName> units = batch.stream().map(UnitRow::unit).toList();
      int[] bucket =
          named
              ? key.buckets(units, buckets)
              : key.buckets(units.stream().mapToLong(UnitName::low).toArray(), buckets);
      for (int i = 0; i < bucket.length; i++) {
        RowBlock block = open.computeIfAbsent(bucket[i], none -> new RowBlock());
        block.add(batch.get(i));
        if (block.size() >= OPEN / buckets) {
          full.add(new Tuple2<>(bucket[i], block.bytes()));
          open.remove(bucket[i]);
        }
      }
    }

    @Override
    public Tuple2<Integer, byte[]> next() {
      if (!hasNext()) {
        throw new java.util.NoSuchElementException();
      }
      return full.remove();
    }
  }
}
