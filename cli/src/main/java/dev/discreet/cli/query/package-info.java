/**
 * {@code discreet query}: options in, questions to {@code algorithms.query}, answers out. What an
 * answer costs and how it is made is not known here.
 */
package dev.discreet.cli.query;
