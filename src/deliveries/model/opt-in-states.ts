/** Whether a visitor has confirmed a submission; `waiting` withholds all that it causes, but for the mail that asks. */
export const OPT_IN_STATES = ['waiting', 'confirmed'] as const;
export type OptInState = (typeof OPT_IN_STATES)[number];
