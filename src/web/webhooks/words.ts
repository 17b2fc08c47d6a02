/** Words of the webhook of a form. */
export const webhookWords = {
  webhook: {
    title: 'Webhook',
    on: 'Turned on',
    offByHand: 'Turned off by hand on',
    offByFailures: 'Every call has failed since',
    offAt: 'The webhook was turned off on',
    offHint: 'Calls missed meanwhile are listed below as failed. You can send them later.',
    failing: 'Every call has failed since',
    failingUntil: 'If none succeeds, the webhook is turned off on',
    enable: 'Turn on webhook',
    resend: 'Also send missed submissions',
    disable: 'Turn off webhook',
    disableHint: 'Submissions still arrive, but this URL is no longer called.',
    address: 'Webhook URL',
    url: 'URL',
    addressHint: 'We POST each submission that is not spam to this URL.',
    format: 'Format',
    formats: {
      standard: 'Standard',
      flat: 'Fields only (Formspark)',
      web3forms: 'Web3Forms',
      basin: 'Basin',
      'basin-wrapped': 'Basin, wrapped in data',
      'basin-customerio': 'Basin for Customer.io',
      'basin-form': 'Basin, form-urlencoded',
      formspree: 'Formspree',
      netlify: 'Netlify',
      forminit: 'Forminit',
      formward: 'Formward',
    },
    signature: 'Signature',
    signatures: {
      standard: 'Standard Webhooks',
      formspree: 'Formspree-Signature',
      netlify: 'X-Webhook-Signature (Netlify)',
      formward: 'X-Formward-Signature',
      none: 'None',
    },
    sample: 'Sample of the body',
    sampleHint: 'In the saved format. A test sends this.',
    save: 'Save',
    remove: 'Remove URL',
    test: 'Send a test',
    testHint: 'Sends a sample payload, signed as real calls are. It is not stored.',
    testGood: 'Test delivered',
    testBad: 'Test failed',
    answer: 'Beginning of the response',
    noAnswer: 'The response was empty.',
    secret: 'Signing secret',
    secretHint:
      'Every call is signed with this secret, so your receiver can verify that it comes from here.',
    unsigned: 'Calls are not signed. Choose a signature to use this secret.',
    secretAsText: 'The key is this text, from the first letter to the last.',
    secretRenewAtOnce:
      'Calls are signed with the new secret only, from now on. Update your receiver immediately.',
    secretUse:
      'Signatures follow Standard Webhooks, in the headers webhook-id, webhook-timestamp and webhook-signature. Any library for it accepts this text.',
    secretShow: 'Show secret',
    secretRenew: 'Create a new secret',
    secretRenewHint:
      'For one day, calls are signed with both the new secret and this one. Update your receiver within that day.',
    secretRenewAgain: 'The secret before this one stops working immediately.',
    secretFormer: 'Old secret valid until',
    calls: 'Calls',
    callStates: { '': 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
    callFilter: 'Filter by state',
    emptyTitle: 'Nothing here',
    empty:
      'Each submission that is not spam makes one. Successful calls are removed after a while.',
    noTry: 'Not tried yet',
    columns: {
      at: 'Submission',
      state: 'State',
      code: 'Status',
      duration: 'Duration',
      tries: 'Attempts',
      next: 'Next attempt',
      again: 'Send again',
    },
    pages: 'Pages of calls',
    newest: 'Newest',
    older: 'Older',
    redirected: 'Rejected: the URL redirects, and redirects are not followed. Enter the final URL.',
    refusedWith: (code: number) => `Rejected (HTTP ${code})`,
    /** Sentences by the outcome of a try. */
    outcomes: {
      accepted: 'Delivered',
      refused: 'Rejected',
      gone: 'Rejected: the receiver wants no more calls (HTTP 410)',
      timed_out: 'No response in time',
      unreachable: 'The URL could not be reached.',
      forbidden_address:
        'Private addresses are blocked. The operator can allow this one with WEBHOOK_ALLOWED_NETWORKS.',
      disabled: 'The webhook was turned off.',
      obsolete: 'The submission no longer exists.',
      failed: 'Something went wrong on our side.',
      not_possible: 'The call could not be made.',
      interrupted: 'The service was stopped during the call.',
      lost: 'The service ended during the call.',
    },
  },
  redelivery: {
    title: 'Retry failed deliveries',
    kind: 'Deliveries',
    /** Names of each kind: in lists of kinds, one of it, several, and when there is none. */
    kinds: {
      webhook: {
        label: 'Webhook calls',
        one: 'One webhook call',
        many: 'webhook calls',
        empty: 'No webhook call has failed, or none since that day.',
      },
      destination: {
        label: 'Destinations',
        one: 'One call of a destination',
        many: 'calls of destinations',
        empty: 'No call of a destination has failed, or none since that day.',
      },
      owner_email: {
        label: 'Emails to your team',
        one: 'One email to your team',
        many: 'emails to your team',
        empty: 'No email to your team has failed, or none since that day.',
      },
      submitter_email: {
        label: 'Emails to visitors',
        one: 'One email to a visitor',
        many: 'emails to visitors',
        empty: 'No email to a visitor has failed, or none since that day.',
      },
      opt_in: {
        label: 'Confirmation requests to visitors',
        one: 'One confirmation request',
        many: 'confirmation requests',
        empty: 'No confirmation request has failed, or none since that day.',
      },
    },
    from: 'Submissions since',
    ask: 'Find failed deliveries',
    found: (count: number, isAll: boolean, one: string, many: string) =>
      count === 1
        ? `${one} failed.`
        : `${count.toLocaleString('en')} ${isAll ? '' : 'or more '}${many} failed.`,
    since: (count: number) =>
      count === 1 ? 'Its submission is from' : 'Their submissions are from',
    and: 'to',
    hint: 'Each goes to its original address under its original id, and is retried until it is delivered or fails.',
    disabled: 'The webhook is turned off, so these calls would fail immediately.',
    go: (count: number, isAll: boolean, many: string) => {
      if (!isAll) return 'Retry all';
      return count === 1 ? 'Retry' : `Retry ${count.toLocaleString('en')} ${many}`;
    },
    emptyTitle: 'Nothing to retry',
    open: 'Retry failed calls',
    openMails: 'Retry failed emails',
  },
} as const;

/** Sentences that the next page shows after something was done about deliveries. */
export const webhookFlash = {
  webhook_enabled: 'Webhook turned on',
  webhook_resent: 'Webhook turned on. Missed submissions are being sent.',
  webhook_disabled: 'Webhook turned off',
  destination_added: 'Destination added. Send a test to see that it arrives.',
  destination_paused: 'Destination paused',
  destination_resumed: 'Destination resumed',
  destination_deleted: 'Destination deleted',
  secret_renewed: 'New secret created',
  redelivered: 'Retrying. The deliveries below are still waiting.',
  called_again: 'Sent again. Its row shows the result.',
} as const;
