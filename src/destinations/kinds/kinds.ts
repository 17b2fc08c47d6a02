import { discord } from './discord.js';
import { email } from './email.js';
import { googleChat } from './google-chat.js';
import { googleSheets } from './google-sheets.js';
import type { DestinationKind } from './kind.js';
import { plain } from './plain.js';
import { slack } from './slack.js';
import { teams } from './teams.js';
import { telegram } from './telegram.js';
import { webhook } from './webhook.js';

/** Kinds of destinations, by name. */
export const KINDS = {
  email,
  slack,
  discord,
  teams,
  telegram,
  google_chat: googleChat,
  google_sheets: googleSheets,
  webhook,
  plain,
} as const satisfies Record<string, DestinationKind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Returns a kind by its name. */
export function kindOf(name: KindName): DestinationKind {
  return KINDS[name];
}
