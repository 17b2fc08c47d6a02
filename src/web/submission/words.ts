/** Sentences after something was done to a submission. */
export const submissionFlash = {
  sent_anyway: 'Sent without waiting for the visitor',
  separated: 'It is a submission of its own now',
  tried: 'Tried again. The last line of its activity shows the result.',
} as const;

/** Words of the page of a submission. */
export const submissionWords = {
  submission: {
    timeline: 'Activity',
    received: 'Received and stored',
    nothingSent: 'No notifications configured',
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
    states: {
      pending: 'retrying',
      delivering: 'sending',
      delivered: 'delivered',
      failed: 'failed',
      obsolete: 'obsolete',
      summarised: 'in a summary',
      written: 'saved to disk, not sent',
    },
    /** A delivery by the name of its destination. */
    named: (name: string, recipient: string) => `${name} (${recipient})`,
    onHold: 'waiting',
    /** Mails as the people of clients read of them. */
    teamNotified: 'Team notified',
    teamInSummary: 'Team notified in a summary',
    teamNotNotified: 'Team not notified yet',
    teamNotice: 'notice to the team',
    notSent: 'not sent',
    /** Reports about a mail after a server had accepted it. */
    reports: {
      bounced: 'Came back',
      delayed: 'Delayed',
      complained: 'Reported as spam',
    },
    took: (milliseconds: number) =>
      milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`,
    nextTry: 'Next attempt',
    sendNow: 'Send now',
    sendAgain: 'Send again',
    origin: 'Source',
    page: 'Page',
    browser: 'Browser',
    address: 'IP address',
    country: 'Country',
    subject: 'Subject',
    notKept: 'Unknown',
    spam: 'Spam',
    notSpam: 'Not spam',
    trash: 'Trash',
    done: 'Done',
    notDone: 'Not done',
    star: 'Star',
    unstar: 'Unstar',
    answered: 'Answered',
    notAnswered: 'Not answered',
    unread: 'Unread',
    newer: 'Newer',
    older: 'Older',
    around: 'Other submissions',
    sameSender: 'More from this sender',
    wholeValue: (shown: number, length: number) =>
      `The first ${shown.toLocaleString('en')} characters. Show all ${length.toLocaleString('en')}`,
    assignee: 'Assigned to',
    assigneeLabel: 'Assignee',
    saveAssignee: 'Assign',
    assignToMe: 'Assign to me',
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
      assigned: (name: string) => `Assigned to ${name}`,
      unassigned: 'Unassigned',
      spam: 'Marked as spam',
      not_spam: 'Marked as not spam',
      trashed: 'Moved to trash',
      restored: 'Restored from trash',
      edited: 'Edited',
      sent_anyway: 'Sent without confirmation',
      confirmed: 'Confirmed by the visitor',
      note: 'Note added',
      by: (name: string) => `by ${name},`,
    },
    repeats: {
      told: (seconds: number) =>
        `Sent twice: the same came again ${seconds < 1 ? 'at once' : seconds === 1 ? 'a second later' : `${seconds} seconds later`}, as after a double click. It counts once and notifies once.`,
      separate: 'Make it its own submission',
    },
    changesLeftOut: 'We no longer keep what changed.',
    tags: 'Tags',
    tagsLabel: 'Tags, separated by commas',
    saveTags: 'Save',
    notes: 'Notes',
    notesHint: 'Visible to your team and to clients who see this form, never to visitors.',
    notesHintForClient:
      'Visible to your team and to the team that runs this service for you, never to visitors.',
    noteLabel: 'Add a note',
    mentionLabel: 'Notify someone (or type @name)',
    infected: (virus: string, isLocked: boolean) =>
      `This file is infected (${virus}). ${isLocked ? 'We keep it locked.' : 'Someone unlocked it.'}`,
    unlocks: '“Not spam” also unlocks infected files if the person can change the form.',
    unscanned: 'Not scanned for viruses yet.',
    image: 'Image',
    imageOf: (name: string) => `Image: ${name}`,
    addNote: 'Add note',
    removeNote: 'Remove',
    restore: 'Restore',
    why: 'Why?',
    more: 'More',
    copyLink: 'Copy link',
    copyJson: 'Copy as JSON',
    copyValue: (name: string) => `Copy ${name}`,
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
    inTrash: 'In the trash.',
    erasedOn: 'It will be erased after',
    isSpam: (isToldLater: boolean) => (isToldLater ? 'Spam. Nobody was notified.' : 'Spam.'),
    isHeld: (isToldLater: boolean) =>
      isToldLater ? 'Possible spam. Emails and the webhook are on hold.' : 'Possible spam.',
    isInfected: (isToldLater: boolean) =>
      isToldLater ? 'Infected file. Emails and the webhook are on hold.' : 'Infected file.',
    withheld: 'On hold (possible spam)',
    withheldForVisitor: 'On hold until the visitor confirms',
    waiting: {
      told: (email: string) => `Waiting for ${email} to confirm. Nobody is notified until then.`,
      failed: (problem: string | null) =>
        `The confirmation request was not delivered${problem === null ? '.' : `: ${problem}`}`,
      sendAnyway: 'Send anyway',
    },
    judged: 'Spam check',
    points: (points: number) => `${points > 0 ? '+' : ''}${points}`,
    release: (mails: number, calls: number) => {
      const counted = [
        mails === 0 ? '' : mails === 1 ? '1 email' : `${mails} emails`,
        calls === 0 ? '' : calls === 1 ? '1 call' : `${calls} calls`,
      ].filter(Boolean);
      return counted.length === 0 ? 'Not spam' : `Not spam: send ${counted.join(' and ')}`;
    },
    allowSite: (domain: string) => `Always allow the site ${domain}`,
    alwaysAllow: (entry: string) => `Always allow ${entry}`,
    erase: 'Erase forever',
    eraseSure: (files: number) =>
      files === 0
        ? 'This erases the submission. You cannot undo it.'
        : 'This erases the submission and its files. You cannot undo it.',
    eraseGo: 'Erase',
    onRestore: (what: string) => `“Not spam” will send: ${what}.`,
    nothingOnRestore: 'Nothing is waiting to be sent.',
    lookingToo: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0] ?? ''} is looking at this`
        : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} are looking at this`,
    reply: 'Reply',
    replySubject: (form: string) => `Re: ${form}`,
  },
} as const;
