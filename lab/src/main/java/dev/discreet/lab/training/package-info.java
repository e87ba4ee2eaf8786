/** What trials that train a network share: which rows they see, how, and what is looked at. */
package dev.discreet.lab.training;
