/** Words of warnings. */
export const statusWords = {
  status: {
    title: 'Status',
    fineTitle: 'Everything works',
    failed: (checks: string[]) =>
      `${checks.length === 1 ? 'A check fails' : `${checks.length} checks fail`}: ${checks.join(', ')}.`,
    fine: 'All forms work as configured.',
    service: 'Service',
    instance: 'Service health',
    instanceHint: 'Visible to operators only.',
    version: 'Version',
    database: 'Database',
    disk: 'Disk space',
    free: (free: string, size: string) => `${free} of ${size} free`,
    backlog: 'Delivery queue',
    oldest: 'oldest due since',
    nothingDue: 'nothing due',
    checks: 'Checks',
    mendNow: 'Fix',
    checkNow: 'Run all checks',
    checked: 'Email, its DNS, address and counts checked',
    notChecked:
      'Checks of email, its DNS, address and counts take a while, so they run only when you ask.',
    states: { ok: 'OK', warning: 'Warning', failed: 'Failed' },
    setting: 'Setting',
    records: 'DNS records to add or change',
    accounts: 'Accounts',
    accountsMore: (more: number) => `and ${more} newer ones`,
    name: 'Name',
    forms: 'Forms',
    submissions: 'Submissions',
    people: 'People',
    files: 'Files',
    weekly: {
      title: 'Weekly email',
      hint: 'Up to 10 email addresses, separated by commas. On Mondays at 6:00 UTC they learn whether all forms are well, or which need a look. Leave it empty to send none.',
      send: 'Send weekly email now',
    },
    concerned: (forms: number) =>
      forms === 1 ? 'One form sends email.' : `${forms} forms send email.`,
  },
  /** Links and steps next to a warning that fix it. */
  mend: {
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
  },
  /** Said above every page of what concerns all forms alike. */
  troubleOfAll: {
    mail_not_configured: 'Email is not set up',
    files_nearly_full: 'Files are nearly full',
  },
  troubleGo: 'Show details',
  /** Sentences by the code of the warning; for other codes the API's message is shown. */
  warnings: {
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
  },
} as const;
