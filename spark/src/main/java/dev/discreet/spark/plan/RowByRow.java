package dev.discreet.spark.plan;

/** A function over the rows of a partition that gives each what follows from that row alone. */
public interface RowByRow {}
