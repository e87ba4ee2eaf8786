/**
 * What Spark's own account of a frame tells: whether its rows come out the same again, and whether
 * a row depends on rows of other units. Only plans and lineages are looked at here, never a row.
 */
package dev.discreet.spark.plan;
