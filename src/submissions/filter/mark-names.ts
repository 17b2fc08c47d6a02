/** The mark of a star. */
export const STARRED = 'starred';
/** The mark of what somebody has answered. */
export const ANSWERED = 'answered';

/** Tells whether marks say that somebody took a submission for one of a person. */
export function isValued(marks: readonly string[]): boolean {
  return marks.includes(STARRED) || marks.includes(ANSWERED);
}

/** Most tags of a submission. */
export const TAGS_MAX = 20;
const TAG = 'tag:';

/** Returns the mark of a tag. */
export const tagged = (tag: string) => TAG + tag;

/** Prefix of assignment marks, followed by the id of a person. */
export const ASSIGNED = 'assigned:';

/** Returns the mark of what is assigned to a person. */
export const assignedTo = (personId: number) => `${ASSIGNED}${personId}`;

/** Returns the id of the person that a mark assigns to; null for nobody. */
export function assigneeIn(marks: readonly string[]): number | null {
  const mark = marks.find((each) => each.startsWith(ASSIGNED));
  return mark === undefined ? null : Number(mark.slice(ASSIGNED.length));
}

/** Returns the tags among marks. */
export function tagsIn(marks: readonly string[]): string[] {
  return marks.filter((mark) => mark.startsWith(TAG)).map((mark) => mark.slice(TAG.length));
}
