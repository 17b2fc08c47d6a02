import { discord, googleChat, slack, teams } from './chats.js';
import { email } from './email.js';
import { googleSheets } from './google-sheets.js';
import type { DestinationKind } from './kind.js';
import { plain, webhook } from './webhook.js';
import { telegram } from './telegram.js';

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
