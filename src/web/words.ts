import { accessWords } from './tokens/words.js';
import { auditWords } from './audit/words.js';
import { brandWords } from './brand/words.js';
import { hostWords } from './clients/host-words.js';
import { goWords } from './go-to/words.js';
import { fleetWords } from './fleet/words.js';
import { formsWords } from './forms/words.js';
import { inboxWords } from './inbox/words.js';
import { submissionFlash, submissionWords } from './submission/words.js';
import { jobWords } from './jobs/words.js';
import { keyWords } from './rows/words.js';
import { meWords } from './account/words.js';
import { mailsWords } from './previews/words.js';
import { passkeyWords } from './account/passkey-words.js';
import { signInWords } from './sign-in/words.js';
import { peopleWords } from './people/words.js';
import { viewWords } from './saved-views/words.js';
import { visitorWords } from './visitors/words.js';
import { spamLearningWords } from './spam/learning-words.js';
import { statisticsWords } from './statistics/words.js';
import { statusWords } from './status/words.js';
import { rejudgeWords } from './spam/rejudge-words.js';
import { spamWords } from './spam/words.js';
import { destinationWords } from './destinations/words.js';
import { webhookFlash, webhookWords } from './webhooks/words.js';

/** Every sentence of the pages for people who sign in; another language would be another such file. */
export const words = {
  product: 'Form Collection Service',
  nav: {
    label: 'Main',
    skip: 'Skip to content',
    inbox: 'Inbox',
    forms: 'Forms',
    clients: 'Clients',
    people: 'People',
    tokens: 'API tokens',
    status: 'Status',
    audit: 'Audit log',
    visitors: 'Find a visitor',
    brand: 'Branding',
    'spam-learning': 'Spam training',
    person: 'Your account',
    account: 'Account and sign-in',
    signOut: 'Sign out',
  },
  pages: { label: 'Pages', first: 'First page', next: 'Next' },
  trouble: (forms: number) =>
    forms === 1 ? 'One form needs your attention' : `${forms} forms need your attention`,
  display: {
    labels: { scheme: 'Theme', rows: 'Rows' },
    names: {
      system: 'System',
      light: 'Light',
      dark: 'Dark',
      comfortable: 'Comfortable',
      compact: 'Compact',
    },
  },
  troubleLater: 'Hide until tomorrow',
  flash: {
    signed_in: 'You are signed in.',
    signed_in_by_link:
      'You are signed in. For the next ten minutes you can set a new password without the old one, under “Account and sign-in”.',
    signed_out: 'You are signed out.',
    saved: 'Changes saved',
    password_changed: 'Password changed. You are signed out on all other devices.',
    email_proved: 'Address verified. You are signed out on all other devices.',
    email_changed:
      'Address changed. Sign in with it from now on. You are signed out on all other devices.',
    passkey_added: 'Passkey added. You are signed out on all other devices.',
    passkey_renamed: 'Passkey renamed',
    passkey_removed: 'Passkey removed. You are signed out on all other devices.',
    factor_removed: 'Two-step verification turned off. You are signed out on all other devices.',
    identity_linked: 'Identity linked. You can sign in with it now.',
    identity_unlinked: 'Identity unlinked',
    zone_set: 'Time zone changed',
    keys_on: 'Keyboard shortcuts turned on',
    keys_off: 'Keyboard shortcuts turned off',
    session_ended: 'Session ended',
    sessions_ended: 'You are signed out on all other devices.',
    switched: 'Workspace switched',
    welcome: 'Your account is ready.',
    invitation_accepted: 'Welcome! You have joined.',
    spam_learning_reset: 'Spam training reset',
    sender_allowed: 'Sender allowed. Their submissions always reach the inbox.',
    domain_allowed:
      'Domain allowed. Its submissions are no longer marked as spam for where they come from.',
    form_created: 'Form created. Add its snippet to your site.',
    form_duplicated: 'Form duplicated. This copy has its own address.',
    form_deleted: 'Form deleted',
    client_invited: 'Client added, invitation sent',
    client_not_invited:
      'Client added, but the invitation email could not be sent. Invite someone below.',
    client_created: 'Client added',
    client_deleted: 'Client deleted. Its API tokens no longer work.',
    token_revoked: 'API token revoked',
    person_invited: 'Invitation sent',
    invitation_withdrawn: 'Invitation withdrawn. Its link no longer works.',
    person_removed: 'Person removed',
    person_signed_out: 'Person signed out on all devices',
    view_ended: 'You are back in your own view.',
    checked: 'All checks done',
    mended: 'Fixed, and all checks done again',
    all_read: 'All marked as read',
    nothing_read:
      'Nothing changed: the filter no longer works. A form in it may have been renamed or deleted.',
    is_done: 'Marked as done',
    is_open: 'Marked as not done',
    is_unread: 'Marked as unread',
    changed: 'Changed',
    changed_back: 'Change undone',
    job_stopped: 'Job stopped. What it changed so far stays changed.',
    several_forms:
      'Select submissions of one form to export them: each form has columns of its own.',
    nothing_selected:
      'Nothing changed: no submission is selected. Select some, then choose an action.',
    nothing_chosen:
      'Nothing changed: the tag is missing. Type one next to the button and press it again.',
    is_starred: 'Star added',
    is_unstarred: 'Star removed',
    is_answered: 'Marked as answered',
    is_unanswered: 'Marked as not answered',
    assigned: 'Assigned',
    unassigned: 'Assignee removed',
    view_saved: 'View saved',
    digest_on: 'Email digest turned on',
    digest_off: 'Email digest turned off',
    view_deleted: 'View deleted',
    in_trash: 'Moved to trash',
    is_spam: 'Marked as spam',
    in_inbox: 'Moved to inbox',
    erased: 'Submission erased',
    visitor_erased: 'Everything from this address erased',
    ...webhookFlash,
    recipient_tried: 'Emails are sent to this address again',
    ...submissionFlash,
  },
  forms: {
    problems: (count: number) =>
      count === 1 ? 'Please fix one problem:' : `Please fix ${count} problems:`,
  },
  ...inboxWords,
  ...submissionWords,
  ...goWords,
  ...jobWords,
  ...fleetWords,
  ...hostWords,
  ...formsWords,
  ...accessWords,
  ...auditWords,
  ...brandWords,
  ...peopleWords,
  ...spamLearningWords,
  ...statisticsWords,
  ...statusWords,
  ...rejudgeWords,
  ...spamWords,
  ...destinationWords,
  ...webhookWords,
  ...signInWords,
  ...mailsWords,
  ...passkeyWords,
  ...visitorWords,
  ...viewWords,
  signIn: {
    title: 'Sign in',
    email: 'Email address',
    password: 'Password',
    shared: 'This is a shared device',
    sharedHint: 'We sign you out after an hour without activity.',
    go: 'Sign in',
  },
  code: {
    title: 'Two-step verification',
    code: 'Code',
    hint: 'Enter the code from your authenticator app, or a recovery code.',
  },
  totp: {
    title: 'Two-step verification',
    on: (left: number) =>
      left === 1
        ? 'On. You enter a code when you sign in. One recovery code is left.'
        : `On. You enter a code when you sign in. ${left} recovery codes are left.`,
    off: 'Off. Add a second step for stronger protection.',
    begin: 'Turn on two-step verification',
    scan: 'Scan this QR code with an authenticator app.',
    qr: 'QR code of the secret below',
    type: 'Or type this secret into the app:',
    code: 'Six-digit code from the app',
    add: 'Turn on',
    remove: 'Turn off two-step verification',
    renew: 'Create new recovery codes',
    codesTitle: 'Your recovery codes',
    codesHint:
      'Each code lets you sign in once without the app. Store them somewhere safe: we show them only once.',
    codesDone: 'I have saved them',
  },
  setup: {
    title: 'Set up your account',
    hint: 'This link makes you the owner, with full access.',
    code: 'Setup code',
    codeHint: 'The part after # in the link from the console. It starts with fcs_setup_.',
    name: 'Your name',
    newPassword: 'Password',
    passwordHint:
      'At least 15 characters. A few unrelated words are easy to remember. Leave out your name.',
    go: 'Set up account',
  },
  invitation: {
    title: 'Invitation',
    code: 'Invitation code',
    codeHint: 'The part after # in your link. It starts with fcs_invitation_.',
    open: 'Continue',
    into: (account: string) => `You are invited to join “${account}”.`,
    known: (email: string) => `${email} already has an account. Sign in, then open the link again.`,
    as: (email: string) => `You will sign in as ${email}.`,
    accept: 'Accept invitation',
    signIn: 'Sign in first',
  },
  me: meWords,
  undo: 'Undo',
  earlier: (sentence: string) => `Earlier: ${sentence}`,
  keys: keyWords,
  copy: 'Copy',
  curl: {
    title: 'Copy as curl',
    hint: 'Gets the same data from the API. Put your API token into $TOKEN.',
    toTokens: 'Manage API tokens',
    askForToken: 'Ask an owner to create an API token for you.',
    readHint: 'Each API token has its own read and unread state.',
  },
  cancel: 'Cancel',
  errors: {
    400: ['Invalid request', 'Go back and try again.'],
    403: ['You do not have permission', 'Nothing changed.'],
    404: ['Page not found', 'It may have been deleted, or the address is mistyped.'],
    405: [
      'This address cannot be opened',
      'It only accepts submitted forms. Go to the start page.',
    ],
    409: ['This is not possible right now', 'Go back, reload the page, and try again.'],
    429: ['Too many requests', 'Wait a moment, then try again.'],
    500: ['Something went wrong', 'The error is logged. Try again in a moment.'],
    503: ['Temporarily unavailable', 'Nothing is lost. Try again in a few seconds.'],
  },
  back: 'Go to the start page',
  requestId: 'Request ID',
} as const;
