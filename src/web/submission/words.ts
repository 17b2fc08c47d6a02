/** Words of the page of a submission. */
export const submissionWords = {
  kinds: {
    owner_email: 'Email to your team',
    submitter_email: 'Email to the visitor',
    webhook: 'Webhook',
    owner_notice: 'Notice to your team',
    owner_digest: 'Summary to your team',
    confirmation: 'Recipient confirmation',
    mention: 'Mention email',
    export_ready: 'Export email',
    destination: 'Destination',
    opt_in: 'Confirmation request',
    probe: 'Canary',
  },
  /** Reports about a mail after a server had accepted it. */
  reports: { bounced: 'Came back', delayed: 'Delayed', complained: 'Reported as spam' },
  newer: 'Newer',
  older: 'Older',
  wholeValue: (shown: number, length: number) =>
    `The first ${shown.toLocaleString('en')} characters. Show all ${length.toLocaleString('en')}`,
  acts: {
    seen: 'First seen',
    done: 'Marked as done',
    not_done: 'Reopened',
    starred: 'Starred',
    unstarred: 'Star removed',
    answered: 'Marked as answered',
    not_answered: 'Marked as not answered',
    tags: (one: string | null, other: string | null) => `${one ?? ''}”, “${other ?? ''}`,
    tagged: (tag: string) => `Tagged “${tag}”`,
    untagged: (tag: string) => `Tag “${tag}” removed`,
    unassigned: 'Unassigned',
    spam: 'Marked as spam',
    not_spam: 'Marked as not spam',
    trashed: 'Moved to trash',
    restored: 'Restored from trash',
    edited: 'Edited',
    sent_anyway: 'Sent without confirmation',
  },
  repeats: {
    told: (seconds: number) =>
      `Sent twice: the same came again ${seconds < 1 ? 'at once' : seconds === 1 ? 'a second later' : `${seconds} seconds later`}, as after a double click. It counts once and notifies once.`,
  },
  infected: (virus: string, isLocked: boolean) =>
    `This file is infected (${virus}). ${isLocked ? 'We keep it locked.' : 'Someone unlocked it.'}`,
  imageOf: (name: string) => `Image: ${name}`,
  edit: {
    open: 'Edit',
    title: 'Edit submission',
    hint: 'The activity keeps the old values. Nobody is notified.',
    kinds: { list: 'One item per line.', json: 'JSON, as it was sent.' },
    tooLong: 'This page cannot edit this value. Use the API.',
    save: 'Save changes',
    cancel: 'Cancel',
    /** Stands for a value that was not there. */
    nothing: 'empty',
  },
  isSpam: (isToldLater: boolean) => (isToldLater ? 'Spam. Nobody was notified.' : 'Spam.'),
  isHeld: (isToldLater: boolean) =>
    isToldLater ? 'Possible spam. Emails and the webhook are on hold.' : 'Possible spam.',
  isInfected: (isToldLater: boolean) =>
    isToldLater ? 'Infected file. Emails and the webhook are on hold.' : 'Infected file.',
  withheld: 'On hold (possible spam)',
  withheldForVisitor: 'On hold until the visitor confirms',
  waiting: {
    failed: (problem: string | null) =>
      `The confirmation request was not delivered${problem === null ? '.' : `: ${problem}`}`,
  },
  points: (points: number) => `${points > 0 ? '+' : ''}${points}`,
  release: (mails: number, calls: number) => {
    const counted = [
      mails === 0 ? '' : mails === 1 ? '1 email' : `${mails} emails`,
      calls === 0 ? '' : calls === 1 ? '1 call' : `${calls} calls`,
    ].filter(Boolean);
    return counted.length === 0 ? 'Not spam' : `Not spam: send ${counted.join(' and ')}`;
  },
  eraseSure: (files: number) =>
    files === 0
      ? 'This erases the submission. You cannot undo it.'
      : 'This erases the submission and its files. You cannot undo it.',
  lookingToo: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0] ?? ''} is looking at this`
      : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} are looking at this`,
} as const;
