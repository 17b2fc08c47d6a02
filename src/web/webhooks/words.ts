/** Words of the webhook of a form. */
export const webhookWords = {
  webhook: {
    title: 'Webhook',
    on: 'Switched on',
    offByHand: 'It was switched off by hand on',
    offByFailures: 'Every call failed from',
    offAt: 'on, so it was switched off on',
    offHint: 'Calls that it misses are listed below as given up, and can be sent later.',
    failing: 'Every call has failed since',
    failingUntil: 'If none succeeds, it is switched off on',
    enable: 'Switch it on',
    resend: 'Also send what was missed',
    disable: 'Switch it off',
    disableHint: 'Submissions still come in; the address is no longer called.',
    address: 'Address',
    url: 'URL',
    addressHint:
      'It is called by POST with the values as JSON, each time something is sent that is not spam.',
    save: 'Save the address',
    remove: 'Remove it',
    test: 'Send a test',
    testHint: 'A signed call with an invented submission goes out now. Nothing of it is kept.',
    testGood: 'The test arrived',
    testBad: 'The test did not arrive',
    answer: 'The beginning of the answer',
    noAnswer: 'The answer was empty.',
    secret: 'Signing secret',
    secretHint:
      'Calls are signed with it, so that your receiver can tell that they come from here.',
    secretUse:
      'As Standard Webhooks says, in the headers webhook-id, webhook-timestamp and webhook-signature. Any library for it takes this text.',
    secretShow: 'Show the secret',
    secretRenew: 'Make a new secret',
    secretRenewHint:
      'For a day, calls are signed with the new one and with this one. Put the new one into your receiver within that day.',
    secretRenewAgain: 'The one before this stops at once.',
    secretFormer: 'The former secret signs too, until',
    calls: 'Calls',
    callStates: { '': 'All', pending: 'Waiting', delivered: 'Delivered', failed: 'Given up' },
    callFilter: 'Which calls',
    emptyTitle: 'No calls',
    empty:
      'Each submission that is not spam makes one. Those that arrived are forgotten after a while.',
    noTry: 'not tried yet',
    columns: {
      at: 'Submission of',
      state: 'State',
      code: 'Status',
      duration: 'Duration',
      tries: 'Tries',
      next: 'Next try',
      again: 'Send again',
    },
    pages: 'Pages of calls',
    newest: 'Newest',
    older: 'Older',
    redirected:
      'It answered with a redirect, which is not followed. Enter the address it leads to.',
    refusedWith: (code: number) => `It answered with status ${code}.`,
    /** Sentences by the outcome of a try. */
    outcomes: {
      accepted: 'It took the call.',
      refused: 'It refused the call.',
      gone: 'It answered that it wants no more calls (410).',
      timed_out: 'It did not answer in time.',
      unreachable: 'Nothing answers at this address.',
      forbidden_address:
        'This address is inside a private network, where this service may not call.',
      disabled: 'The webhook was switched off.',
      obsolete: 'The submission was gone.',
      failed: 'Something went wrong on our side.',
      not_possible: 'It could not be made.',
      interrupted: 'The service was stopped meanwhile.',
      lost: 'The service ended meanwhile.',
    },
  },
  redelivery: {
    title: 'Send again what was given up',
    kind: 'What',
    form: 'The form',
    /** What each kind is called: in lists of kinds, one of it, several, and when there is none. */
    kinds: {
      webhook: {
        label: 'Calls of the webhook',
        one: 'One call',
        many: 'calls',
        empty: 'No call was given up, or none since that day.',
      },
      owner_email: {
        label: 'Mails to you',
        one: 'One mail to you',
        many: 'mails to you',
        empty: 'No mail to you was given up, or none since that day.',
      },
      submitter_email: {
        label: 'Mails to visitors',
        one: 'One mail to a visitor',
        many: 'mails to visitors',
        empty: 'No mail to a visitor was given up, or none since that day.',
      },
    },
    from: 'Of submissions since',
    ask: 'Count',
    found: (count: number, isAll: boolean, one: string, many: string) =>
      count === 1
        ? `${one} was given up.`
        : `${count.toLocaleString('en')} ${many}${isAll ? '' : ' or more'} were given up.`,
    since: (count: number) =>
      count === 1 ? 'It is of a submission of' : 'They are of submissions between',
    and: 'and',
    hint: 'Each goes to the address that it was meant for, with the id it had, and is tried anew until it is taken or given up.',
    disabled: 'The webhook is switched off, so they would be given up at once.',
    go: (count: number, isAll: boolean, many: string) => {
      if (!isAll) return 'Send all of them again';
      return count === 1 ? 'Send it again' : `Send ${count.toLocaleString('en')} ${many} again`;
    },
    emptyTitle: 'Nothing to send again',
    open: 'Retry calls that were given up',
    openMails: 'Send mails again that were given up',
  },
} as const;
