/** Words of calls and their outcomes. */
export const callWords = {
  states: {
    pending: 'retrying',
    delivering: 'sending',
    delivered: 'delivered',
    failed: 'failed',
    obsolete: 'obsolete',
    summarised: 'in a summary',
    written: 'saved to disk, not sent',
  },
  took: (milliseconds: number) =>
    milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`,
  sendAgain: 'Send again',
  sendNow: 'Send now',
  columns: {
    at: 'Submission',
    state: 'State',
    code: 'Status',
    duration: 'Duration',
    tries: 'Attempts',
    next: 'Next attempt',
    again: 'Send again',
  },
  enable: 'Turn on webhook',
  test: 'Send a test',
  testHint: 'Sends a sample payload, signed as real calls are. It is not stored.',
  testGood: 'Test delivered',
  testBad: 'Test failed',
  answer: 'Beginning of the response',
  noAnswer: 'The response was empty.',
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
} as const;

/** Words of the page that sends failed deliveries again. */
export const redeliveryWords = {
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
  since: (count: number) => (count === 1 ? 'Its submission is from' : 'Their submissions are from'),
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
} as const;

/** Sentences by the code of the warning; for other codes the API’s message is shown. */
export const warningWords = {
  nobody_is_told:
    'Nobody is notified of submissions. Turn on emails, add a recipient, or set a webhook.',
  mail_not_configured:
    'Emails are saved to disk and not sent, because the operator of this service has not set up a mail server.',
  origins_refused:
    'Submissions went to spam because of the domain they came from. If the domain is yours, allow it.',
  captcha_unverified:
    'The captcha provider rejects your keys, so submissions are held. Enter the keys again.',
  intake_closed: 'The form takes no submissions. It is paused, has closed, or is full.',
  webhook_disabled: 'The webhook is turned off, so it gets no submissions.',
} as const;

/** Links and steps next to a warning that fix it. */
export const mendWords = {
  ask: 'Ask an owner or an editor to change this.',
  settings: 'Change settings',
  spam: 'Look through spam',
  /** By the code of the warning, where a page other than settings mends it. */
  of: {
    origins_refused: 'Review domains',
    form_silent: 'See its rhythm',
    never_connected: 'Show the snippet',
    page_broken: 'See the check',
    canary_failing: 'See the check',
    visitors_refused: 'Review field rules',
    spam_rising: 'Spam settings',
  } as Record<string, string | undefined>,
  enableWebhook: 'Turn on webhook',
  openWebhook: 'View webhook calls',
  openCaptcha: 'Enter captcha keys',
  mailServer: 'Set these two settings to your own mail server and restart the service:',
  mailCheck: 'Then send a test email with this command. It shows what is wrong if that fails:',
} as const;
