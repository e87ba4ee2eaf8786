/**
 * Privacy bugs, planted in copies of our classes, and whether the tests notice them. The copies are
 * compiled into a folder of their own. No switch in the code itself makes it wrong.
 */
package dev.discreet.planted;
