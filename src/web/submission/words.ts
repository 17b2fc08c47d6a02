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
  acts: {
    seen: 'First seen',
    done: 'Marked as done',
    not_done: 'Reopened',
    starred: 'Starred',
    unstarred: 'Star removed',
    answered: 'Marked as answered',
    not_answered: 'Marked as not answered',
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
  imageOf: (name: string) => `Image: ${name}`,
  edit: {
    title: 'Edit submission',
    kinds: { list: 'One item per line.', json: 'JSON, as it was sent.' },
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
  release: (mails: number, calls: number) => {
    const counted = [
      mails === 0 ? '' : mails === 1 ? '1 email' : `${mails} emails`,
      calls === 0 ? '' : calls === 1 ? '1 call' : `${calls} calls`,
    ].filter(Boolean);
    return counted.length === 0 ? 'Not spam' : `Not spam: send ${counted.join(' and ')}`;
  },
} as const;
