/** Words of warnings. */
export const statusWords = {
  status: {
    title: 'Status',
    fineTitle: 'All is well',
    fine: 'Every form does what its settings say.',
    service: 'The whole service',
    instance: 'How the service runs',
    instanceHint: 'Only operators see this part.',
    version: 'Version',
    database: 'Database',
    disk: 'Room for files',
    free: (free: string, size: string) => `${free} of ${size} free`,
    backlog: 'Deliveries to be made',
    oldest: 'the first due since',
    nothingDue: 'none is due',
    checks: 'Checks',
    mendNow: 'Set it right',
    checkNow: 'Check everything now',
    checked: 'Mail, address and counts were checked',
    notChecked: 'Mail, address and counts take a while, so they are checked when you ask.',
    states: { ok: 'fine', warning: 'look at it', failed: 'mend it' },
    setting: 'Setting',
    accounts: 'Accounts',
    accountsMore: (more: number) => `and ${more} more, newer ones`,
    name: 'Name',
    forms: 'Forms',
    submissions: 'Submissions',
    people: 'People',
    files: 'Files',
    concerned: (forms: number) =>
      forms === 1 ? 'One form sends mails.' : `${forms} forms send mails.`,
  },
  /** Texts beside a warning that mend it. */
  mend: {
    ask: 'An owner or an editor can change this.',
    settings: 'Change the settings',
    origins: 'See them and allow yours',
    enableWebhook: 'Switch the webhook on',
    openWebhook: 'See its calls',
    openCaptcha: 'Enter its keys',
    mailServer:
      'It takes two settings, with your own server in them, and a new start of the service:',
    mailCheck: 'Then this sends a test mail, or says what is wrong:',
  },
  /** Shown once above every page when all warnings are of this kind. */
  troubleOfAll: {
    mail_not_configured: 'Mails go to a folder and not out: this service has no mail server yet.',
  },
  troubleGo: 'Show me',
  /** Sentences by the code of the warning; for other codes the API's message is shown. */
  warnings: {
    nobody_is_told:
      'Nobody is told of submissions. Turn on the mail for each submission, say who gets it, or set a webhook.',
    mail_not_configured:
      'Mails are kept in a folder and not sent: whoever runs this service has not set a mail server yet.',
    origins_refused:
      'Submissions were filed as spam because of the site that they came from. If it is yours, allow it.',
    captcha_unverified:
      'The captcha cannot be verified, so what comes with it is held: its provider refuses the keys. Enter them anew.',
    webhook_disabled: 'The webhook is switched off, so nothing is sent to its address.',
  },
} as const;
