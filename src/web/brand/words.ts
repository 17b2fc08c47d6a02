/** Words of the branding of an account. */
export const brandWords = {
  title: 'Branding',
  hint: 'Clients see your branding on their pages and their sign-in page, and visitors on the thank-you page.',
  name: 'Name',
  nameHint: 'The name of your studio or company.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG or WebP, up to 100 kB.',
  logoNow: 'Current logo',
  removeLogo: 'Remove logo',
  colour: 'Color',
  colourHint:
    'For buttons and links, such as #0a7d6b or teal. We darken or lighten it where text would be hard to read.',
  replyTo: 'Reply-to address',
  replyToHint: 'Replies to emails to visitors go here, unless the form has its own sender address.',
  email: 'Default recipient',
  emailHint: 'Gets emails about submissions of forms without recipients.',
  save: 'Save changes',
  signIn: 'Sign-in page for clients',
  signInOf: 'Sign-in page',
  signInHintOf: (client: string) =>
    `People of ${client} sign in here. The page shows the look of the client, or yours where it has none.`,
  signInHint: 'This sign-in page shows your name, logo and color. Share it with your clients.',
} as const;
