/** Words of what needs attention. */
export const statusWords = {
  status: {
    title: 'Status',
    fineTitle: 'All is well',
    fine: 'Every form does what its settings say.',
    open: 'Open the settings',
  },
  /** By the codes of the API; its own message stands for the others. */
  warnings: {
    nobody_is_told:
      'Nobody is told of submissions. Turn on the mail for each submission, say who gets it, or set a webhook.',
    mail_not_configured:
      'Mails are kept in a folder and not sent: whoever runs this service has not set a mail server yet.',
    webhook_disabled: 'The webhook was switched off because it kept failing. Its deliveries wait.',
  },
} as const;
