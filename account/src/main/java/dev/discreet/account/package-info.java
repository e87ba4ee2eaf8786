/**
 * One budget for one population, shared by runs, queries, people and machines. An account is a
 * filter that was fixed before the first release, and a chained journal of everything that was
 * reserved, charged and given back. No private row and no noise enters here: only what releases
 * cost.
 */
package dev.discreet.account;
