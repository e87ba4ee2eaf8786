/**
 * Budgets for releases that are chosen one after the other, each by what was released before: what
 * they admit, and what releases cost as they count it.
 */
package dev.discreet.accounting.filter;
