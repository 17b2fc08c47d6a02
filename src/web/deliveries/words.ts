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
  columns: { code: 'Status', duration: 'Duration', tries: 'Attempts', next: 'Next attempt' },
  test: 'Send a test',
  /** Sentences by the outcome of a try. */
  outcomes: {
    accepted: 'Delivered',
    refused: 'Rejected',
    gone: 'Rejected: the receiver wants no more calls (HTTP 410)',
    timed_out: 'No response in time',
    unreachable: 'The URL could not be reached.',
    forbidden_address:
      'Private addresses are blocked. The operator can allow this one with WEBHOOK_ALLOWED_NETWORKS.',
    disabled: 'The destination was paused.',
    obsolete: 'The submission no longer exists.',
    failed: 'Something went wrong on our side.',
    not_possible: 'The call could not be made.',
    interrupted: 'The service was stopped during the call.',
    lost: 'The service ended during the call.',
  },
} as const;

/** Sentences by the code of the finding; for other codes the API’s message is shown. */
export const warningWords = {
  nobody_is_told:
    'Nobody is notified of submissions. Turn on emails, add a recipient, or set a webhook.',
  mail_not_configured:
    'Emails are saved to disk and not sent, because the operator of this service has not set up a mail server.',
  origins_refused:
    'Submissions went to spam because of the domain they came from. If the domain is yours, allow it.',
  captcha_unverified:
    'The captcha provider rejects your keys, so submissions are held. Enter the keys again.',
  webhook_disabled: 'The webhook is paused, so it gets no submissions.',
} as const;

/** Links and steps next to a finding that fix it. */
export const mendWords = {
  /** By the code of the finding, where a page other than settings mends it. */
  of: {
    origins_refused: 'Review domains',
    form_silent: 'View activity',
    never_connected: 'Show the snippet',
    page_broken: 'View the check',
    canary_failing: 'View the check',
    visitors_refused: 'Review field rules',
    spam_rising: 'Spam settings',
    owner_email_failing: 'View what failed',
    submitter_email_failing: 'View what failed',
    opt_in_failing: 'View what failed',
    destination_failing: 'View destinations',
  } as Record<string, string | undefined>,
} as const;
