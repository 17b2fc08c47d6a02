/**
 * The form of probes, which the service sends to itself: no form and no account has these ids, so no list, count or task
 * knows of them.
 */
export const PROBE_FORM = { id: 0, accountId: -1 } as const;
