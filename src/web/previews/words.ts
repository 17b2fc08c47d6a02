/** Words of the previews beside the settings of a form. */
export const mailsWords = {
  preview: {
    show: 'Show with my changes',
    test: 'Send me a test',
    testHint: 'A test goes to your own address alone.',
    testUnproven:
      'A test goes to your own address alone, once you have shown by a link that it is yours.',
    asTyped: 'It is made of what is typed above, saved or not.',
    titles: {
      owner: 'Preview of this mail',
      visitor: 'Preview of this mail',
      thanks: 'Preview of the page',
    },
    frames: {
      owner: 'The mail to who is told',
      visitor: 'The mail to the visitor',
      thanks: 'The page after sending',
    },
    redirect: 'Visitors go on to another page and do not see one of this service:',
    subject: 'Subject',
    from: 'From',
    to: 'To',
    replyTo: 'Answers go to',
    nobody: 'nobody: no address is known',
    off: 'This mail is switched off and not sent.',
    ofNewest: 'About the newest submission.',
    ofSample: 'About a sample.',
    mail: 'The mail',
    text: 'As plain text',
    problems: 'This cannot be shown before it is mended above:',
    sent: (to: string) => `Sent to ${to}. The mail server said:`,
    written: 'There is no mail server: it was written to a file in the folder of the service.',
    notSent: 'It was not sent. This was the answer:',
    noAnswer: 'No reason was given.',
  },
} as const;
