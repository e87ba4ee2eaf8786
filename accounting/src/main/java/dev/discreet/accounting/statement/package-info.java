/**
 * What a cost means to people: the privacy statement, what makes a promise weak, what an attacker
 * could do, and what a group of units is promised. Stands on the accountants.
 */
package dev.discreet.accounting.statement;
