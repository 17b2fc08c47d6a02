import { commaList, parseEmailAddress, templateProblem } from '../../platform/index.js';
import { parseText, type DestinationKind, readBy } from './kind.js';
import { MAIL_HTML_MAX, mailHtmlProblem } from '../../forms/model/mail-html.js';

/** Most addresses of one list: each submission sends a mail to every one. */
const ADDRESSES_MAX = 10;

/** When a recipient is told: of each submission at once, or of several together. */
const DIGESTS = { each: 'Each submission at once', hourly: 'Once an hour', daily: 'Once a day, at 8:00 UTC' };

/** Folds of settings that few need. */
const RECIPIENTS = 'More recipients';
const TEXT = 'Subject, text and files';

const LIST_MAX = 2_600;

const ROUTES_MAX = 20_000;

const ADDRESSES = {
  max: LIST_MAX,
  parse: (text: string) => readAddresses(text)?.join(',') ?? null,
  must: `must be up to ${ADDRESSES_MAX} email addresses, separated by commas`,
};

/** Sends a mail to people whom the owner names, never to an address that a visitor typed. */
export const email: DestinationKind = {
  label: 'Email',
  hint: 'Each person gets their own copy, and one email per submission.',
  settings: {
    to: { ...ADDRESSES, label: 'To', hint: 'Up to ten addresses, separated by commas.' },
    cc: { ...ADDRESSES, label: 'Cc', fold: RECIPIENTS },
    bcc: { ...ADDRESSES, label: 'Bcc', fold: RECIPIENTS },
    route_field: {
      label: 'Field that decides who gets it',
      hint: 'Such as “topic”. Leave it empty to send everything to the same people.',
      fold: RECIPIENTS,
      max: 255,
    },
    routes: {
      label: 'Who gets which value',
      hint: 'One line for each value: Sales = sales@example.com, boss@example.com. Values that are not listed go to “To”, or to nobody if that is empty.',
      fold: RECIPIENTS,
      ...{ max: ROUTES_MAX, isLong: true, parse: parseRoutes },
    },
    reply_to: {
      label: 'Reply-to field',
      hint: 'The field whose address gets your answers. Leave it empty and we find it.',
      fold: TEXT,
      max: 255,
    },
    subject: {
      label: 'Subject',
      hint: 'Put fields in double braces: {{name}} asks about {{topic}}',
      fold: TEXT,
      ...{ max: 255, parse: parseText },
    },
    body: {
      label: 'Text',
      hint: 'Replaces our text. {{field}} is one answer, {{answers}} the whole list. Leave it empty for ours. {% if topic == "Sales" %}…{% endif %} chooses.',
      fold: TEXT,
      ...{ max: 10_000, isLong: true, parse: parseText },
    },
    digest: { label: 'Send', max: 16, choices: DIGESTS },
    files: {
      label: 'Files',
      hint: 'Attached files may have 5 MB together. The others come as links.',
      fold: TEXT,
      max: 16,
      choices: { links: 'As links', attached: 'Attached' },
    },
  },
  /** Lacks somebody to write to, or one half of a table of recipients. */
  missing: ({ to, routes, route_field: field }) => {
    if (routes === undefined && field === undefined) return to === undefined ? ['to'] : [];
    if (routes === undefined) return ['routes'];
    return field === undefined ? ['route_field'] : [];
  },
  mail: 'owner',
};

function parseRoutes(text: string) {
  const read = readRoutes(text);
  return Array.isArray(read) ? writeRoutes(read) : read;
}

/** Most lines of a table. */
const LINES_MAX = 100;

/** Longest value of a line, in characters. */
const VALUE_MAX = 500;

/** A line of a table: who gets the submissions in which a field has a value. */
interface Route {
  value: string;
  to: string[];
}

/** Reads a list of addresses with commas; null for what is none, empty or too long. */
function readAddresses(text: string) {
  const read = commaList(text).map((address) => parseEmailAddress(address));
  const isList = read.length > 0 && read.length <= ADDRESSES_MAX && !read.includes(null);
  return isList ? (read as string[]) : null;
}

/**
 * Reads a table such as `Sales = sales@example.com, boss@example.com`, a line for each value; empty lines count for nothing.
 * @returns the lines, or what is wrong with them
 */
function readRoutes(text: string) {
  const routes: Route[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [value = '', ...rest] = line.split('=');
    const to = readAddresses(rest.join('='));
    const isRead = value.trim() !== '' && Array.from(value.trim()).length <= VALUE_MAX;
    if (!isRead || !to) {
      const form = `a value, = and up to ${ADDRESSES_MAX} email addresses, separated by commas`;
      return { must: `must have ${form} on each line; line ${index + 1} has not` };
    }
    routes.push({ value: value.trim(), to });
  }
  return routes.length <= LINES_MAX
    ? routes
    : { must: `must have at most ${LINES_MAX} lines; there are ${routes.length}` };
}

/** Writes a table as it is stored. */
function writeRoutes(routes: readonly Route[]) {
  return routes.map(({ value, to }) => `${value} = ${to.join(', ')}`).join('\n');
}

/** Returns the lines of a table that is stored. */
export function routesIn(text: string | undefined): Route[] {
  const read = readRoutes(text ?? '');
  return Array.isArray(read) ? read : [];
}

/** Sends the visitor a mail, to the address in the submission. */
export const visitorEmail: DestinationKind = {
  label: 'Email to the visitor',
  hint: 'Goes to the address in the “email” field.',
  settings: {
    from_name: { label: 'Sender name', max: 255 },
    from: {
      label: 'Sender address',
      max: 255,
      parse: parseEmailAddress,
      must: 'must be an email address such as hello@example.com',
    },
    subject: { label: 'Subject', max: 255, parse: parseText },
    body: {
      label: 'Message',
      hint: 'Use {{name}} to insert a field, and {% if topic == "Sales" %}…{% endif %} to choose.',
      ...{ max: 10_000, isLong: true, parse: parseText },
    },
    html: {
      label: 'HTML of the email',
      hint: 'Leave empty for plain text. Allowed: p, br, h1, h2, h3, a (https or mailto), strong, em, ul, ol, li, blockquote, tables. {{field name}} inserts a value.',
      fold: 'HTML',
      ...{ max: MAIL_HTML_MAX, isLong: true, parse: readBy((text) => mailHtmlProblem(text) ?? templateProblem(text)) },
    },
    confirm: {
      label: 'Ask visitors to confirm by email (double opt-in)',
      hint: 'Nothing is sent to anyone until the visitor confirms, except the request itself. The link works for 30 days. Submissions without an email address are sent at once. If you turn this off, what is waiting keeps waiting until you send it.',
      max: 3,
      choices: { no: 'No', yes: 'Yes' },
    },
  },
  mail: 'visitor',
};
