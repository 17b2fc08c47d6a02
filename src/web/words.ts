import { accessWords } from './tokens/words.js';
import { auditWords } from './audit/words.js';
import { brandWords } from './brand/words.js';
import { goWords } from './go-to/words.js';
import { formsWords } from './forms/words.js';
import { inboxWords } from './inbox/words.js';
import { submissionWords } from './submission/words.js';
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
import { webhookWords } from './webhooks/words.js';

/** Every sentence of the pages for people who sign in; another language would be another such file. */
export const words = {
  product: 'Form Collection Service',
  nav: {
    label: 'Main',
    skip: 'Skip to the content',
    inbox: 'Inbox',
    forms: 'Forms',
    clients: 'Clients',
    people: 'People',
    tokens: 'Tokens',
    status: 'Status',
    audit: 'Audit log',
    visitors: 'Find a visitor',
    brand: 'Name and looks',
    'spam-learning': 'What the spam filter learnt',
    person: 'Your account',
    account: 'Account and sign-in',
    signOut: 'Sign out',
  },
  pages: { label: 'Pages', first: 'From the first', next: 'Next' },
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
      'You are signed in. For ten minutes you can set a new password without the former one, under "Account and sign-in".',
    signed_out: 'You are signed out.',
    saved: 'Your changes are saved.',
    password_changed: 'Your password is changed, and you are signed out everywhere else.',
    email_proved: 'It is known now that the address is yours. You are signed out everywhere else.',
    email_changed: 'You sign in with the new address now, and are signed out everywhere else.',
    passkey_added: 'You can sign in with the new passkey, and are signed out everywhere else.',
    passkey_renamed: 'The passkey has its new name.',
    passkey_removed: 'The passkey is removed, and you are signed out everywhere else.',
    factor_removed: 'Codes are no longer asked for, and you are signed out everywhere else.',
    identity_linked: 'The identity is linked. You can sign in by it from now on.',
    identity_unlinked: 'The identity is unlinked.',
    zone_set: 'Times are told in the new time zone.',
    keys_on: 'The keys are on.',
    keys_off: 'The keys are off.',
    session_ended: 'That browser is signed out.',
    sessions_ended: 'You are signed out everywhere else.',
    switched: 'You act here now.',
    welcome: 'You are the owner now.',
    invitation_accepted: 'You are in.',
    spam_learning_reset: 'The spam filter begins anew.',
    sender_allowed: 'What comes from there is always let through from now on.',
    domain_allowed: 'What comes from there is no longer filed as spam.',
    form_created: 'The form is there. Put its snippet into your page.',
    form_duplicated: 'This is the copy. It has an address of its own.',
    form_deleted: 'The form is deleted.',
    client_invited: 'The client is there, and an invitation is on its way.',
    client_not_invited:
      'The client is there, but the invitation could not be mailed. Invite somebody below.',
    client_created: 'The client is there.',
    client_deleted: 'The client is deleted, and its tokens no longer work.',
    token_revoked: 'The token is revoked and no longer works.',
    person_invited: 'The invitation is on its way.',
    invitation_withdrawn: 'The invitation is taken back; its link no longer works.',
    person_removed: 'That person no longer belongs here.',
    person_signed_out: 'That person is signed out everywhere.',
    view_ended: 'You see the pages as yourself again.',
    checked: 'Everything is checked.',
    mended: 'It is set right, and everything is checked again.',
    all_read: 'Everything that was new is marked as read.',
    nothing_read:
      'Nothing was changed: the filter is not clear any more. A form may have another name, or be deleted.',
    is_done: 'It is done.',
    is_open: 'It is no longer done.',
    is_unread: 'It is unread again.',
    changed: 'It is changed.',
    changed_back: 'It is as it was before.',
    job_stopped: 'The job is stopped. What it has changed stays so.',
    nothing_selected:
      'Nothing was changed: no row was ticked. Tick the rows that you mean, then choose what becomes of them.',
    nothing_chosen:
      'Nothing was changed: there was no tag. Type one beside the button, then press it again.',
    is_starred: 'It has a star.',
    is_unstarred: 'It has no star any more.',
    is_answered: 'It is marked as answered.',
    is_unanswered: 'It is no longer marked as answered.',
    assigned: 'It is assigned.',
    unassigned: 'It is assigned to nobody.',
    view_saved: 'The view is saved; it stands above the list.',
    digest_on: 'You will be told by mail what is new in it.',
    digest_off: 'You are no longer told of it by mail.',
    view_deleted: 'The view is deleted.',
    in_trash: 'It is in the trash.',
    is_spam: 'It is filed as spam.',
    in_inbox: 'It is in the inbox.',
    erased: 'The submission is erased.',
    visitor_erased: 'Everything from this address is erased.',
    webhook_enabled: 'The webhook is on again.',
    webhook_resent: 'The webhook is on again, and what was missed is sent.',
    webhook_disabled: 'The webhook is off.',
    secret_renewed: 'This is the new secret.',
    redelivered: 'They are being sent again; those below still wait.',
    called_again: 'It was sent again; its row says how it went.',
    tried: 'It was tried again; the last line of its history says how it went.',
  },
  forms: {
    problems: (count: number) =>
      count === 1 ? 'One thing needs to be changed:' : `${count} things need to be changed:`,
  },
  ...inboxWords,
  ...submissionWords,
  ...goWords,
  ...jobWords,
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
  ...webhookWords,
  ...signInWords,
  ...mailsWords,
  ...passkeyWords,
  ...visitorWords,
  ...viewWords,
  signIn: {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    shared: 'Others use this device too',
    sharedHint: 'Then you are signed out after an hour without use.',
    go: 'Sign in',
  },
  code: {
    title: 'One more step',
    code: 'Code',
    hint: 'From your authenticator app, or one of your recovery codes.',
  },
  totp: {
    title: 'Codes of an authenticator app',
    on: (left: number) =>
      left === 1
        ? 'A code is asked for when you sign in. One recovery code is left.'
        : `A code is asked for when you sign in. ${left} recovery codes are left.`,
    off: 'Your password is all that keeps others out. A second step makes it twice as hard.',
    begin: 'Ask for codes when I sign in',
    scan: 'Scan this with an authenticator app.',
    qr: 'The same secret as below, as a QR code',
    type: 'Or type this secret into it:',
    code: 'The six digits that the app shows now',
    add: 'Ask for codes from now on',
    remove: 'Ask for no codes any more',
    renew: 'Make new recovery codes',
    codesTitle: 'Your recovery codes',
    codesHint:
      'Each lets you in once without the app. Keep them where you find them without it; they are shown this once.',
    codesDone: 'I have kept them',
  },
  setup: {
    title: 'Become the owner',
    hint: 'With the code that the console printed you become the owner, who may do everything.',
    code: 'Setup code',
    codeHint: 'The part behind # of the link that the console printed. It begins with fcs_setup_.',
    name: 'Your name',
    newPassword: 'Password',
    passwordHint:
      'At least 15 characters without your name. A few words that do not belong together are easy to keep in mind.',
    go: 'Become the owner',
  },
  invitation: {
    title: 'Your invitation',
    code: 'Invitation',
    codeHint: 'The part behind # of the link you were given. It begins with fcs_invitation_.',
    open: 'Go on',
    into: (account: string) => `You are invited to look after forms in "${account}".`,
    known: (email: string) =>
      `Somebody signs in as ${email} already. Sign in, then open the link again.`,
    as: (email: string) => `You will sign in as ${email}.`,
    accept: 'Accept the invitation',
    signIn: 'Sign in first',
  },
  me: meWords,
  undo: 'Undo',
  earlier: (sentence: string) => `Earlier: ${sentence}`,
  keys: keyWords,
  copy: 'Copy',
  curl: {
    title: 'Copy as curl',
    hint: 'This gets what is shown here from the API, with a token in $TOKEN.',
    toTokens: 'To the tokens',
    askForToken: 'An owner of the account can create one for you.',
    readHint: 'What is read and unread is the token’s own.',
  },
  cancel: 'Cancel',
  errors: {
    400: ['This request cannot be read', 'Go back and try it again.'],
    403: ['You may not do this', 'Nothing was changed.'],
    404: ['There is nothing here', 'It may have been deleted, or the address is mistyped.'],
    405: ['There is nothing to look at here', 'This address only takes forms. Begin at the start.'],
    409: ['That cannot be done as things are', 'Go back, look at it once more, and try again.'],
    429: ['That was too often', 'Wait a moment, then try again.'],
    500: ['Something went wrong here', 'It has been logged. Try it again in a moment.'],
    503: ['This is away for a moment', 'Nothing is lost. Try it again in a few seconds.'],
  },
  back: 'Back to the start',
  requestId: 'Logged under',
} as const;
