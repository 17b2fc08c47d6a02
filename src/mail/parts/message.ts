import type { Readable } from 'node:stream';
import type { ClientServer } from '../../clients/brands/model/brand.entity.js';
import { type Mailbox, type Config, chosenParts, addDays, dayAt, hourOfDay } from '../../platform/index.js';
import type { Brand } from '../../clients/brands/brands.service.js';

/** Colours of one scheme, without functions and variables, which mail programs lack. */
export interface Scheme {
  ground: string;
  surface: string;
  /** Behind codes. */
  wash: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  onAccent: string;
}

/** The colours of the pages in light mode. */
export const LIGHT: Scheme = {
  ground: '#f3f6f6',
  surface: '#ffffff',
  wash: '#edf3f3',
  ink: '#182428',
  soft: '#4e5a60',
  line: '#dbe1e2',
  accent: '#00675e',
  onAccent: '#ffffff',
};

/** The same in the dark. */
export const DARK: Scheme = {
  ground: '#0d1314',
  surface: '#141b1d',
  wash: '#1d2427',
  ink: '#e4e9eb',
  soft: '#a0aaad',
  line: '#2a3235',
  accent: '#68d0bf',
  onAccent: '#021817',
};

/**
 * Returns the style sheet of mails. Mail programs may drop it: then the styles
 * of the elements remain. It has no `<`, `&` or quotes, which rendering would escape.
 */
export function styleSheet(): string {
  const [background, colour] = [backgrounds(DARK), colours(DARK)];
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `body,table,td,p,h1,a{font-family:${FONTS}}`,
    `@media (prefers-color-scheme:dark){${rules('', background)}${rules('', colour)}}`,
    // Outlook's apps add these attributes to what they have darkened themselves.
    rules('[data-ogsb] ', background),
    rules('[data-ogsc] ', colour),
    `@media (max-width:${NARROW_PX}px){${NARROW}}`,
  ].join('\n');
}

/** Fonts that are installed; none is fetched. */
export const FONTS = '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
export const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

/** Width below which names are above their values. */
const NARROW_PX = 520;
const NARROW = [
  '.outer{padding:0!important}',
  '.card{border-width:0!important;border-radius:0!important}',
  '.inner{padding:24px 20px 8px!important}',
  '.foot{padding:16px 20px 32px!important}',
  '.name,.value{display:block!important;width:auto!important}',
  '.name{padding:12px 0 0!important}',
  '.value{border-top-width:0!important;padding:0 0 12px!important}',
].join('');

function backgrounds({ ground, surface, wash, accent }: Scheme): [string, string][] {
  return [
    ['.ground', `background-color:${ground}!important`],
    ['.surface', `background-color:${surface}!important`],
    ['.wash', `background-color:${wash}!important`],
    ['.button', `background-color:${accent}!important`],
  ];
}

function colours({ ink, soft, line, accent, onAccent }: Scheme): [string, string][] {
  return [
    ['.ink', `color:${ink}!important`],
    ['.soft', `color:${soft}!important`],
    ['.line', `border-color:${line}!important`],
    ['.link', `color:${accent}!important`],
    ['.label', `color:${onAccent}!important`],
  ];
}

function rules(before: string, all: [string, string][]) {
  return all.map(([selector, rule]) => `${before}${selector}{${rule}}`).join('');
}

/** A file that goes along with a mail. */
export interface Attachment {
  filename: string;
  contentType: string;
  content: Readable | Buffer;
}

/** A mail to exactly one recipient. */
export interface Message {
  from: Mailbox;
  /** The client's own mail server that it goes through; absent: ours. */
  via?: ClientServer;
  to: string;
  /** Whom the mail names instead of `to`, which is one of them, and who is named as a copy; absent: `to` alone. */
  named?: { to: string[]; cc: string[] };
  attachments?: Attachment[];
  /** Whether its text has links to the attachments, so that it says as much without them. */
  linksAttachments?: true;
  /** Null: answers go to the From address. */
  replyTo: Mailbox | null;
  /** A UUID: programs show mails with the same one as one conversation, and no others with them. */
  thread?: string;
  /** Address that ends mails of this kind: a page, and by a POST at once (RFC 8058). */
  unsubscribe?: string;
  subject: string;
  text: string;
  html: string;
  /** How it came about without a person (RFC 3834, section 5). */
  automatic: 'auto-generated' | 'auto-replied';
}

/** Whom a mail comes from, and where its links lead. */
export interface SentBy {
  /** Name above the text; null for none. */
  name: string | null;
  from: Mailbox;
  /** Where answers go that would not reach the sender; null: to the From address. */
  replyTo: Mailbox | null;
  /** The mail server of a client; null for ours. */
  via: ClientServer | null;
  /** Beginning of the addresses of our pages. */
  baseUrl: string;
}

/**
 * Returns whom mails of an account or a client come from. Receivers reject a From address whose domain does not permit
 * the server (SPF, DMARC): through ours, a sender is used only when MAIL_FROM_DOMAINS lists its domain, and otherwise
 * becomes Reply-To under its own name.
 */
export function sentBy({ name, isOfClient, sender, baseUrl }: Brand, config: Config): SentBy {
  const ours = config.mailFrom;
  const own = isOfClient ? headerText(name ?? '') : ours.name;
  const by = { name, replyTo: null, via: null, baseUrl };
  if (!sender) return { ...by, from: { name: own, address: ours.address } };
  const wanted = { name: headerText(sender.from.name) || own, address: sender.from.address };
  if (sender.server) return { ...by, from: wanted, via: sender.server };
  if (mayBeFrom(wanted.address, config)) return { ...by, from: wanted };
  return { ...by, from: { name: wanted.name, address: ours.address }, replyTo: wanted };
}

/** Tells whether our mail server may send under an address that is not ours. */
export function mayBeFrom(address: string, { mail }: Config) {
  return mail.fromDomains.includes(address.slice(address.lastIndexOf('@') + 1));
}

/** Returns a mail as it leaves through the sender's server, answered where it says unless the mail knows better. */
export function sendAs({ replyTo, via }: SentBy, message: Message): Message {
  return { ...message, replyTo: message.replyTo ?? replyTo, ...(via && { via }) };
}

/** Returns a moment as people read it: `22 November 2026, 04:36 UTC`. */
export function timeText(at: Date) {
  return `${dayText(at)}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** Returns a day as people read it: `22 November 2026`. */
export function dayText(at: Date) {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Writes the moments in a text, which are in ISO 8601, as people read them. */
export function withTimes(text: string) {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => timeText(new Date(moment)));
}

/** `{{name}}`, with optional blanks around the name. The length is limited, so that no text takes long. */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g;

/** Most characters that values add to a text: a form's owner and a visitor together decide how often a value is in it. */
const VALUES_MAX = 32 * 1024;
/** Says that values were cut. */
export const CUT = 'Some of this text was left out, because it is too long for an email.';

/** Longest text in a header, in characters. */
const HEADER_MAX = 255;
/** Longest value of a visitor in a subject, in characters: room for a name, not for a message. */
const IN_SUBJECT_MAX = 60;

/**
 * Fills the placeholders of a text in one pass: values are never scanned, so a visitor cannot bring
 * placeholders. An unknown name becomes nothing. Values beyond VALUES_MAX are cut, and the text says so.
 */
export function fill(template: string, values: ReadonlyMap<string, string>) {
  const filling = new Filling(values);
  const filled = filling.of(chosenParts(template, values));
  return filling.isCut ? `${filled}\n\n${CUT}` : filled;
}

/** Fills several texts of one mail, which have VALUES_MAX of values together. */
export class Filling {
  private added = 0;

  constructor(private readonly values: ReadonlyMap<string, string>) {}

  /** Tells whether a value was cut. */
  get isCut() {
    return this.added > VALUES_MAX;
  }

  /** @param written how a value is written in this place; as it is by default */
  of(template: string, written = (value: string) => value) {
    return template.replace(PLACEHOLDER, (_, name: string) => {
      const value = this.values.get(name.trim()) ?? '';
      const room = Math.max(VALUES_MAX - this.added, 0);
      this.added += value.length;
      return written(
        value
          .slice(0, room)
          .replace(/\p{Cs}$/u, '')
          .toWellFormed(),
      );
    });
  }
}

/** Fills a subject. A visitor's values are cut, since the mail may go to somebody who is not that visitor. */
export function fillSubject(template: string, values: ReadonlyMap<string, string>) {
  const short = [...values].map(([name, text]) => [name, cut(text)] as const);
  return headerText(fill(template, new Map(short)));
}

/** Cuts a visitor's value to its longest length in a subject. */
export function cut(text: string) {
  const characters = Array.from(text);
  if (characters.length <= IN_SUBJECT_MAX) return text;
  return `${characters.slice(0, IN_SUBJECT_MAX - 1).join('')}…`;
}

/** Returns text that can stand in a header: one line, without control characters, of limited length. */
export function headerText(text: string) {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, HEADER_MAX)
    .replace(/\p{Cs}$/u, '');
}

/** How often a mail is sent; a week's on Mondays. */
export const EVERY = ['day', 'week'] as const;

export type Every = (typeof EVERY)[number];

const DAYS_OF_WEEK = 7;
/** The day of the week as `getUTCDay()` counts. */
const MONDAY = 1;

/** Returns the first time after `now` at which a mail is sent, at an hour by the clocks somewhere. */
export function nextTime(every: Every, hour: number, timeZone: string, now: Date): Date {
  for (let day = dayAt(now, timeZone), left = DAYS_OF_WEEK; ; day = addDays(day, 1), left--) {
    const time = hourOfDay(day, hour, timeZone);
    const isItsDay = every === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY;
    if ((isItsDay && time.getTime() > now.getTime()) || left < 0) return time;
  }
}
