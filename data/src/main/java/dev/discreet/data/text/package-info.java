/**
 * How tables are written as text, where their owner declares it. What the columns mean is declared
 * apart, and no file is read here.
 */
package dev.discreet.data.text;
