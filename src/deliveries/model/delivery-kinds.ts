/** The kinds of deliveries that are no mails: calls over HTTP, and probes, which wait for no mail. */
export const CALLS: readonly string[] = ['webhook', 'destination', 'probe'];

/** The mails to addresses that a visitor typed, or that their owner may not have entered. */
export const TO_STRANGERS: readonly string[] = ['submitter_email', 'confirmation', 'opt_in'];
