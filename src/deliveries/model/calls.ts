/** The kinds of deliveries that are no mails: calls over HTTP, and probes, which wait for no mail. */
export const CALLS: readonly string[] = ['webhook', 'destination', 'probe'];
