/** Words above every page of a form. */
export const formHeadWords = {
  list: 'Forms',
  copyAddress: 'Copy address',
  tabs: {
    label: 'Pages of this form',
    names: {
      submissions: 'Submissions',
      setup: 'Set up',
      notifications: 'Notifications',
      spam: 'Spam',
      settings: 'Settings',
      statistics: 'Statistics',
      watch: 'Watch',
    },
  },
  parts: {
    label: 'Parts of this page',
    names: {
      emails: 'Emails',
      visitorMail: 'Visitor emails',
      webhook: 'Webhook',
      destinations: 'Destinations',
      general: 'General',
      thanks: 'Thank-you page',
      domains: 'Allowed domains',
      fields: 'Field names',
      rules: 'Field rules',
      opening: 'Open and closed',
      preview: 'Inbox preview',
      retention: 'Retention',
      aliases: 'Old ids',
      import: 'Import',
    },
  },
} as const;
