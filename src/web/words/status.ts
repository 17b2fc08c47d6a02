/** Words of what needs attention. */
export const statusWords = {
  status: {
    title: 'Status',
    fineTitle: 'All is well',
    fine: 'Every form does what its settings say.',
    service: 'The whole service',
    concerned: (forms: number) =>
      forms === 1 ? 'One form sends mails.' : `${forms} forms send mails.`,
  },
  /** What the button beside a warning says. */
  mend: { settings: 'Change the settings', enableWebhook: 'Switch the webhook on' },
  /** Said once above every page when all forms in trouble share it. */
  troubleOfAll: {
    mail_not_configured: 'Mails go to a folder and not out: this service has no mail server yet.',
  },
  troubleGo: 'Show me',
  /** By the codes of the API; its own message stands for the others. */
  warnings: {
    nobody_is_told:
      'Nobody is told of submissions. Turn on the mail for each submission, say who gets it, or set a webhook.',
    mail_not_configured:
      'Mails are kept in a folder and not sent: whoever runs this service has not set a mail server yet.',
    webhook_disabled: 'The webhook was switched off because it kept failing. Its deliveries wait.',
  },
} as const;
