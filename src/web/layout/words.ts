import type { FindingCode } from '../../health/finding.js';
import type { IconName } from '../parts/index.js';

/** Words of the frame around every page. */
export const layoutWords = {
  product: 'Form Collection Service',
  nav: { inbox: 'Inbox' },
  display: {
    labels: { scheme: 'Theme', rows: 'Rows' },
    names: { system: 'System', light: 'Light', dark: 'Dark', comfortable: 'Comfortable', compact: 'Compact' },
  },
  places: 'Workspaces',
  go: 'Go to',
  errors: {
    400: ['Invalid request', 'Go back and try again.'],
    403: ['You do not have permission', 'Nothing changed.'],
    404: ['Page not found', 'It may have been deleted, or the address is mistyped.'],
    405: ['This address cannot be opened', 'It only accepts submitted forms. Go to the start page.'],
    409: ['This is not possible right now', 'Go back, reload the page, and try again.'],
    429: ['Too many requests', 'Wait a moment, then try again.'],
    500: ['Something went wrong', 'The error is logged. Try again in a moment.'],
    503: ['Temporarily unavailable', 'Nothing is lost. Try again in a few seconds.'],
  },
} as const;

/** Names of the folders of the inbox. */
export const folderWords = {
  new: 'New',
  all: 'All',
  done: 'Done',
  held: 'Held',
  spam: 'Spam',
  trash: 'Trash',
} as const;

/** Sentences that the next page shows after something was done. */
export const flashWords = {
  signed_in: 'You are signed in.',
  signed_in_by_link:
    'You are signed in. For the next ten minutes you can set a new password without the old one, under “Account and sign-in”.',
  signed_out: 'You are signed out.',
  saved: 'Changes saved',
  password_changed: 'Password changed. You are signed out on all other devices.',
  email_proved: 'Address verified. You are signed out on all other devices.',
  email_changed: 'Address changed. Sign in with it from now on. You are signed out on all other devices.',
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
  domain_allowed: 'Domain allowed. Its submissions are no longer marked as spam for where they come from.',
  form_created: 'Form created. Add its snippet to your site.',
  form_duplicated: 'Form duplicated. This copy has its own address.',
  form_deleted: 'Form deleted',
  client_invited: 'Client added, invitation sent',
  client_not_invited: 'Client added, but the invitation email could not be sent. Invite someone below.',
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
  nothing_read: 'Nothing changed: the filter no longer works. A form in it may have been renamed or deleted.',
  is_done: 'Marked as done',
  is_open: 'Marked as not done',
  is_unread: 'Marked as unread',
  changed: 'Changed',
  changed_back: 'Change undone',
  job_stopped: 'Job stopped. What it changed so far stays changed.',
  several_forms: 'Select submissions of one form to export them: each form has columns of its own.',
  nothing_selected: 'Nothing changed: no submission is selected. Select some, then choose an action.',
  nothing_chosen: 'Nothing changed: the tag is missing. Type one next to the button and press it again.',
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
  destination_added: 'Destination added. Send a test to see that it arrives.',
  destination_paused: 'Destination paused',
  destination_resumed: 'Destination resumed',
  destination_resent: 'Destination resumed. Missed submissions are being sent.',
  destination_deleted: 'Destination deleted',
  redelivered: 'Retrying. The deliveries below are still waiting.',
  called_again: 'Sent again. Its row shows the result.',
  recipient_tried: 'Emails are sent to this address again',
  sent_anyway: 'Sent without waiting for the visitor',
  separated: 'It is a submission of its own now',
  tried: 'Tried again. The last line of its activity shows the result.',
} as const;

/** Names of what can be wrong. */
export const causeWords: Readonly<Record<string, string>> = {
  mail_not_configured: 'Email is not set up',
  files_nearly_full: 'Files are nearly full',
  nobody_is_told: 'Nobody is notified',
  recipients_unconfirmed: 'Recipients not confirmed',
  recipient_bounces: 'Emails bounce',
  webhook_disabled: 'Webhook is paused',
  owner_email_failing: 'Emails to your team fail',
  submitter_email_failing: 'Emails to visitors fail',
  webhook_failing: 'Webhook is failing',
  destination_failing: 'Destination is failing',
  opt_in_failing: 'Confirmation emails fail',
  origins_refused: 'Website is not allowed',
  captcha_unverified: 'Captcha keys are rejected',
  secret_unreadable: 'Secret cannot be read',
  form_silent: 'No submissions lately',
  never_connected: 'Not connected yet',
  page_broken: 'Page check fails',
  canary_failing: 'Test submission fails',
  visitors_refused: 'Visitors are refused',
  verdicts_changed: 'Nearly all is spam',
  spam_rising: 'Spam is rising',
} satisfies Record<FindingCode, string>;

/** A part of the service, at `/` and its name. */
interface Section {
  title: string;
  icon: IconName;
  /** Other words by which people look for it. */
  words: string;
  /** Says in the settings what it is for. */
  hint?: string;
  /** Whether it stands in the settings, and not in the rail. */
  isSetting?: true;
}

/** The parts of the service, in the order of the rail and of the settings. */
export const SECTIONS = {
  inbox: { title: 'Inbox', icon: 'inbox', words: 'submissions messages' },
  forms: { title: 'Forms', icon: 'clipboard-list', words: 'list statistics' },
  clients: {
    ...{ title: 'Clients', icon: 'users', words: 'customers portal' },
    hint: 'Let people outside your team see their forms.',
  },
  settings: { title: 'Settings', icon: 'settings', words: 'options account preferences' },
  people: {
    ...{ title: 'Team', icon: 'contact-round', words: 'people members invite roles users' },
    ...{ hint: 'Who works here, and what they may do.', isSetting: true },
  },
  brand: {
    ...{ title: 'Branding', icon: 'palette', words: 'logo colors name look sender' },
    ...{ hint: 'Your name, logo and color, and your email address.', isSetting: true },
  },
  destinations: {
    ...{ title: 'Destinations of all forms', icon: 'send', words: 'webhook slack email' },
    ...{ hint: 'Where the submissions of every form go.', isSetting: true },
  },
  tokens: {
    ...{ title: 'API tokens', icon: 'key-round', words: 'keys developers programs' },
    ...{ hint: 'Access for programs.', isSetting: true },
  },
  move: {
    ...{ title: 'Move from another provider', icon: 'download', words: 'import old IDs formspree' },
    ...{ hint: 'Bring forms and submissions, and keep the IDs your pages name.', isSetting: true },
  },
  'spam-learning': {
    ...{ title: 'Spam training', icon: 'shield-alert', words: 'filter bayes' },
    ...{ hint: 'What the spam filter has learned from you.', isSetting: true },
  },
  visitors: {
    ...{ title: 'Find a visitor', icon: 'search', words: 'privacy erase GDPR email address' },
    ...{ hint: 'Everything from one email address, to show or erase it.', isSetting: true },
  },
  audit: {
    ...{ title: 'Audit log', icon: 'history', words: 'changes history who' },
    ...{ hint: 'Who changed what, and when.', isSetting: true },
  },
  status: {
    ...{ title: 'Health', icon: 'activity', words: 'status warnings checks version weekly email' },
    ...{ hint: 'What needs attention, and the weekly email about it.', isSetting: true },
  },
} as const satisfies Record<string, Section>;

/** Name of a part of the service, which is its address too. */
export type SectionName = keyof typeof SECTIONS;

/** Returns the parts of these that the settings list, in their order. */
export function settingsAmong(open: readonly SectionName[]): SectionName[] {
  const names = Object.keys(SECTIONS) as SectionName[];
  return names.filter((name) => isSetting(name) && open.includes(name));
}

/** Tells whether a part of the service stands in the settings. */
export function isSetting(name: SectionName) {
  return 'isSetting' in SECTIONS[name];
}
