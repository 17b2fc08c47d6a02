/** What can be signalled of a form, as event streams name it; the subject is the id of the form. */
export const FORM_TOPICS = {
  /** A submission came. */
  arrived: 'submissions',
  /** Marks, notes, tags or deliveries of a submission changed, or it was removed. */
  changed: 'changes',
} as const;
