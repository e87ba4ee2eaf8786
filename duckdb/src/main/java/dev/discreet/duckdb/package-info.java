/**
 * Parquet files, read by DuckDB inside this process: started for one file, without a file of its
 * own, a network, or code that it could fetch. Nothing else of DuckDB belongs here.
 */
package dev.discreet.duckdb;
