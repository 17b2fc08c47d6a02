/** The kinds of deliveries that are calls over HTTP; the others are mails. */
export const CALLS: readonly string[] = ['webhook', 'destination'];
