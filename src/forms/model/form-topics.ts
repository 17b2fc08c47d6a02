/** Topics of signals about a form, as event streams name it; the subject is the id of the form. */
export const FORM_TOPICS = {
  /** A submission came. */
  arrived: 'submissions',
  /** Marks, notes, tags or deliveries of a submission changed, or it was removed. */
  changed: 'changes',
} as const;

/** Name of the event that someone opened or closed a submission. */
export const PRESENCE = 'presence';

/** Returns the topic by which whoever acts for a client, or for the account, hears of people whom they know. */
export function presenceTopicFor(clientId: number | null): string {
  return clientId === null ? 'open' : `open ${clientId}`;
}

/** Returns the topics that tell of a person: members hear of everybody, people of a client of one another. */
export function presenceTopics(clientId: number | null): string[] {
  return clientId === null
    ? [presenceTopicFor(null)]
    : [presenceTopicFor(null), presenceTopicFor(clientId)];
}
