/**
 * The private step on Apache Spark. Units lie in buckets on the executors, which draw, clip and
 * add; only integers come back. Noise, ledger, account, optimizer and checkpoints stay in the
 * driver's ordinary run and know nothing of Spark. Nothing that depends on how Spark cuts its input
 * may enter a sum.
 */
package dev.discreet.spark;
