/** The parts of the API in the order of the page, each with its controllers. */
const PARTS = [
  {
    name: 'Forms',
    description: 'Where submissions come in: settings under a public identifier.',
    controllers: [
      'Forms',
      'Fleet',
      'Fields',
      'IntakeSettings',
      'StatusesSettings',
      'LanguageSettings',
      'TranslationsSettings',
      'PageSettings',
      'VisitorMail',
      'SpamSettings',
      'SpamLists',
      'SpamStatistics',
      'SpamLearning',
      'Mails',
      'TestMails',
      'ThankYouPage',
      'Snippets',
      'Origins',
      'Destinations',
      'FormDestinations',
      'Recipients',
      'FailingRecipients',
      'Aliases',
      'AccountAliases',
      'Dialect',
      'Moves',
      'Warnings',
      'Canary',
    ],
  },
  {
    name: 'Submissions',
    description: 'What visitors sent: lists, marks, files, erasure and retention.',
    controllers: [
      'SubmissionList',
      'Submissions',
      'Edits',
      'Values',
      'Search',
      'Triage',
      'Bulk',
      'Jobs',
      'Rejudge',
      'SavedViews',
      'Tags',
      'Assignees',
      'Notes',
      'Viewers',
      'Presence',
      'Timeline',
      'Verdicts',
      'Confirmations',
      'Repeats',
      'Visitors',
      'RetentionSettings',
      'Statistics',
      'Refusals',
      'Watch',
      'Facets',
      'Events',
    ],
  },
  {
    name: 'Exports',
    description: 'All submissions of a form in one file.',
    controllers: ['Exports', 'ExportJobs', 'ExportLinks'],
  },
  {
    name: 'Imports',
    description: 'Submissions that other services received, from the files they export.',
    controllers: ['Imports'],
  },
  {
    name: 'Deliveries',
    description: 'Mails and webhook calls for submissions, with every try to make them.',
    controllers: ['SubmissionDeliveries', 'Deliveries', 'Bounces'],
  },
  {
    name: 'Webhooks',
    description: 'The address that is called for each submission of a form, and its secret.',
    controllers: ['Webhooks'],
  },
  {
    name: 'Clients',
    description: 'People for whom an account runs forms; each sees some of them.',
    controllers: [
      'Clients',
      'ClientHost',
      'ClientBrand',
      'ClientSender',
      'SenderTests',
      'ClientForms',
      'Reports',
      'ReportMail',
    ],
  },
  {
    name: 'Tokens',
    description: 'Secrets that let their holder act for an account or for one client of it.',
    controllers: ['Tokens', 'ClientTokens'],
  },
  {
    name: 'People',
    description: 'Those who sign in: members of the account, people of its clients, invitations.',
    controllers: ['People', 'ClientPeople', 'Invitations', 'Identities'],
  },
  {
    name: 'Sign-in',
    description:
      "A person's own passkeys and address. Opened by the session of a browser and by no token, since an account does not own who signs in to it.",
    controllers: ['Passkeys', 'PasskeySignIn', 'Email', 'View', 'Settings', 'ViewDigests'],
  },
  { name: 'Audit log', description: 'Who did what to what, from where.', controllers: ['Audit'] },
  {
    name: 'Account',
    description: 'Whom a token stands for, and how the account looks.',
    controllers: ['Me', 'Brand', 'WeeklyMail'],
  },
  {
    name: 'Visitors',
    description: "A form's own addresses, which need no token: sending, thanks and files by link.",
    controllers: [
      'Intake',
      'FormToken',
      'Challenge',
      'Visits',
      'Pages',
      'Confirm',
      'OptIn',
      'EndMails',
      'FileLinks',
      'Logos',
    ],
  },
  {
    name: 'Operation',
    description: 'What load balancers, Prometheus and operators ask.',
    controllers: ['Health', 'Metrics', 'Instance'],
  },
];

/** The tags of the document, in their order. */
export const TAGS = PARTS.map(({ name, description }) => ({ name, description }));

const CONTROLLERS = PARTS.flatMap(({ controllers }) => controllers);

/** Returns the place of a controller on the page. */
export function placeOf(controller) {
  return CONTROLLERS.indexOf(controller);
}

/**
 * Returns the tag of a controller's operations.
 * @param controller its class without the ending, such as `ClientTokens`
 * @throws Error for a controller that no part names
 */
export function tagOf(controller) {
  const part = PARTS.find(({ controllers }) => controllers.includes(controller));
  if (!part) throw new Error(`Name ${controller} in one of the parts of scripts/openapi/tags.js.`);
  return part.name;
}
