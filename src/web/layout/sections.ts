import type { IconName } from '../parts/content.js';

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
export function isSetting(name: SectionName): boolean {
  return 'isSetting' in SECTIONS[name];
}
