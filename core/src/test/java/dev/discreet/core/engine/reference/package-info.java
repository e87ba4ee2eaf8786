/**
 * The slow, obviously right engine: double precision, one example at a time, one class a layer,
 * each written from the definition. It is the oracle for every fast path, and nothing here is to be
 * made faster at the price of being plain.
 */
package dev.discreet.core.engine.reference;
