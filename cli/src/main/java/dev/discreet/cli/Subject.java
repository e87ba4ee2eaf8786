package dev.discreet.cli;

import dev.discreet.accounting.Ledger;
import java.util.Map;

/**
 * What a question is about.
 *
 * @param words for people
 * @param fields for JSON
 */
record Subject(Ledger ledger, String words, Map<String, Object> fields) {}
