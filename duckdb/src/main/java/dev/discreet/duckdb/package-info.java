/**
 * Parquet files, read by DuckDB inside this process: started for one file or for those to join,
 * without a file of its own, a network, or code that it could fetch. Nothing else of DuckDB belongs
 * here.
 */
package dev.discreet.duckdb;
