/** Words of how an account looks to others. */
export const brandWords = {
  brand: {
    title: 'Name and looks',
    hint: 'Your clients see these on their pages and where they sign in, and visitors on the page that thanks them.',
    name: 'Name',
    nameHint: 'Of your studio or company.',
    logo: 'Logo',
    logoHint: 'A PNG, JPEG or WebP of at most 100 kB.',
    logoNow: 'Your present logo',
    removeLogo: 'Use no logo',
    colour: 'Colour',
    colourHint:
      'Of buttons and links, such as #0a7d6b or teal. It is made darker or lighter where it could not be read.',
    replyTo: 'Answers from visitors go to',
    replyToHint:
      'When they answer a mail that thanks them, unless the form names an address itself.',
    email: 'Mails about submissions go to',
    emailHint: 'Where a form names nobody.',
    save: 'Save changes',
    signIn: 'Where your clients sign in',
    signInHint:
      'At this address the page to sign in has your name, logo and colour. Give it to the people of your clients.',
  },
} as const;
