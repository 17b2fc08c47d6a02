/** Words of the previews beside the settings of a form. */
export const mailsWords = {
  preview: {
    show: 'Update preview',
    test: 'Send me a test',
    testHint: 'Tests go only to you.',
    testUnproven: 'Tests go only to you, once your address is verified.',
    asTyped: 'Preview of your unsaved changes.',
    titles: {
      owner: 'Preview this email',
      visitor: 'Preview this email',
      thanks: 'Preview this page',
    },
    frames: {
      owner: 'Email to your team',
      visitor: 'Email to the visitor',
      thanks: 'Thank-you page',
    },
    redirect: 'Visitors are redirected and do not see our thank-you page:',
    subject: 'Subject',
    from: 'From',
    to: 'To',
    replyTo: 'Reply to',
    nobody: 'Nobody: no address is known',
    off: 'This email is turned off and not sent.',
    ofNewest: 'Shown with the newest submission.',
    ofSample: 'Shown with sample data.',
    mail: 'Email',
    text: 'Plain text',
    problems: 'Fix these fields to see the preview:',
    sent: (to: string) => `Sent to ${to}. The mail server answered:`,
    written:
      'There is no mail server, so the test was saved to a file in the service’s data folder.',
    notSent: 'Not sent. The mail server answered:',
    noAnswer: 'No reason given',
  },
} as const;
