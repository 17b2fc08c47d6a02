import { fieldOfColumn, FIXED_COLUMNS, FURTHER_COLUMNS } from '../../../jobs/exports/export-table.js';
import { undefused, jsonMembers, type JsonMember } from '../../../platform/index.js';

/** Says where an export of a provider keeps what we know of a submission; all other columns are fields. */
export interface Provider {
  /** Its name for people. */
  title: string;
  /** The kinds of its files; `json` and `csv` are told apart by their first character. */
  kinds: readonly ('json' | 'csv' | 'ndjson')[];
  /** Columns of the time, the first that has one counts. */
  time: readonly string[];
  /** Columns of the id that the submission has there. */
  id: readonly string[];
  /** The same in CSV alone, where in JSON it would be a field. */
  idInCsv?: readonly string[];
  /** Members that hold the fields; where none is there, the fields stand beside the rest. */
  fields: readonly string[];
  /** Columns that say that it is spam: by `true`, `yes`, `1` or `spam`, or with a member `spam` that does. */
  spam: readonly string[];
  /** Columns that are no fields. */
  leftOut: readonly string[];
  /** Columns of the page and the browser that it came from. */
  referer: readonly string[];
  userAgent: readonly string[];
  origin?: readonly string[];
  /** Whether ids are from a service like this one. */
  isOurs?: boolean;
  /** Returns the name of the field that a column has the values of; without it, they are called alike. */
  fieldOf?: (column: string) => string;
}

/** Names of columns that say when something was submitted, in any case of letters, most exact first. */
export const DATES = [
  ...['_date', 'created_at', 'createdAt', 'submitted_at', 'submittedAt', 'submissionDateISO'],
  ...['Timestamp', 'Date'],
] as const;

/** Columns of a provider that names none of them. */
const USUAL: Omit<Provider, 'title' | 'time'> = {
  ...{ kinds: ['json', 'csv'], id: [], fields: [], spam: ['spam'] },
  ...{ leftOut: [], referer: [], userAgent: [] },
};

/** The providers whose exports we read, by their name in requests. A new one is one entry. */
export const PROVIDERS = {
  /** Reads `{"fields":[…],"submissions":[{"_date":…}]}` and CSV; old CSV begins with an id. */
  formspree: {
    ...{ ...USUAL, title: 'Formspree', time: ['_date'], id: ['_id'], idInCsv: ['id'] },
    ...{ spam: ['_spam', '_status'], leftOut: ['_errors'] },
  },
  /** Reads the answer of `/api/v1/forms/:id/submissions`, and CSV with a column for each field. */
  netlify: {
    ...{ ...USUAL, title: 'Netlify Forms', time: ['created_at'], id: ['id'], fields: ['data'] },
    ...{ spam: ['state'], leftOut: ['ip'], referer: ['referrer'], userAgent: ['user_agent'] },
  },
  /** Reads JSON and CSV of the export, and the answer of `/api/v1/submissions`. */
  basin: {
    ...{ ...USUAL, title: 'Basin', time: ['created_at'], id: ['id'], fields: ['payload_params'] },
    leftOut: ['ip', 'ip_address', 'form_id', 'updated_at'],
    ...{ referer: ['referrer', 'source_url'], userAgent: ['user_agent'] },
  },
  /** Reads the answer of `/api/form/:id/submissions`, and CSV. */
  formcarry: {
    ...{ ...USUAL, title: 'Formcarry', time: ['createdAt'], id: ['_id'], fields: ['fields'] },
    leftOut: ['ip', 'form', 'updatedAt', '__v'],
    ...{ referer: ['referer', 'referrer'], userAgent: ['userAgent'] },
  },
  /** Reads CSV and JSON of chosen rows, and `{"data":[…]}` of the API. */
  formspark: {
    ...{ ...USUAL, title: 'Formspark', time: ['createdAt', 'created_at'], id: ['_id', 'id'] },
    ...{ fields: ['data'], spam: ['spam', 'isSpam'], leftOut: ['formId'] },
  },
  /** Reads CSV and JSON; files are addresses. */
  getform: {
    ...{ ...USUAL, title: 'Getform', time: DATES, id: ['_id'], idInCsv: ['id'] },
    ...{ fields: ['submission_data'], spam: ['spam', 'is_spam'], leftOut: ['ip', 'ip_address'] },
    ...{ referer: ['referer', 'referrer'], userAgent: ['user_agent'] },
  },
  /** Reads CSV, and JSON as webhooks have it. */
  web3forms: {
    ...{ ...USUAL, title: 'Web3Forms', time: DATES, id: ['_id'], fields: ['data'] },
    leftOut: ['access_key', 'apikey', 'botcheck', 'recaptcha_response', 'h-captcha-response'],
  },
  /** Reads what `GET /api/v1/forms/:identifier/submissions.ndjson` writes, one submission a line. */
  ndjson: {
    ...{ ...USUAL, title: 'Form Collection Service (NDJSON)', kinds: ['ndjson'] },
    ...{ time: ['created_at'], id: ['id'], fields: ['values'], origin: ['origin'], isOurs: true },
  },
  /** Reads any CSV with names in its first line. */
  csv: { ...USUAL, title: 'Other (CSV)', kinds: ['csv'], time: DATES, spam: [] },
} satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];

/** Reads what `GET /api/v1/forms/:identifier/submissions.csv` writes of all columns; see `isOwnHeader`. */
export const ownCsv: Provider = {
  ...PROVIDERS.ndjson,
  ...{ title: 'Form Collection Service (CSV)', kinds: ['csv'], fields: [] },
  leftOut: ['trash', 'files', ...FURTHER_COLUMNS],
  fieldOf: (column) => fieldOfColumn(undefused(column)),
};

/** Tells whether a CSV begins with the columns of our own exports. */
export function isOwnHeader(columns: readonly string[]) {
  return FIXED_COLUMNS.every((name, at) => columns[at] === name);
}

/** A submission as an export has it. */
export interface ExportedRecord {
  fields: JsonMember[];
  /** As it is written; null without one. */
  time: string | null;
  /** Null without one. */
  id: string | null;
  spam: boolean;
  /** Whether it was in the trash there. */
  trash: boolean;
  origin: string | null;
  referer: string | null;
  userAgent: string | null;
}

/** Choice of what the columns of a file are. */
export interface Mapping {
  /** Columns of the time, the first that has one counts. */
  times: readonly string[];
  /** Columns with their new names; null for those that are left out. */
  columns: ReadonlyMap<string, string | null>;
}

const YES = new Set(['true', 'yes', '1', 'spam']);

/** Finds in the rows of a file what the provider keeps where, and takes the rest as fields. */
export class Records {
  private readonly isField: (name: string) => boolean;
  private readonly isExact: boolean;

  constructor(
    private readonly provider: Provider,
    private readonly isCsv: boolean,
    private readonly mapping: Mapping,
  ) {
    this.isField = isFieldOf(provider, isCsv, mapping.times);
    this.isExact = provider.isOurs === true;
  }

  of(row: readonly JsonMember[]): ExportedRecord {
    const { spam, referer, userAgent, origin = [], fields } = this.provider;
    const nested = row.find(({ name, json }) => fields.includes(name) && isObject(json));
    const within = nested ? jsonMembers(nested.json) : row;
    const all = nested ? [...row, ...within] : row;
    const first = (names: readonly string[]) => textOfFirst(all, names, this.isExact);
    // Values of our own exports have no columns of ours among them.
    const isOnlyFields = this.isExact && nested !== undefined;
    return {
      fields: within.filter(({ name }) => isOnlyFields || this.isField(name)).flatMap((member) => this.mapped(member)),
      time: first(this.mapping.times),
      id: first(idsOf(this.provider, this.isCsv)),
      spam: row.some(({ name, json }) => spam.includes(name) && saysYes(json)),
      trash: this.isExact && row.some(({ name, json }) => name === 'trash' && saysYes(json)),
      origin: first(origin),
      referer: first(referer),
      userAgent: first(userAgent),
    };
  }

  /** Returns the time of a row, as it is written; null without one. */
  timeOf(row: readonly JsonMember[]): string | null {
    // Cells of a CSV have nothing within them, and most rows of a file are asked for nothing else.
    return this.isCsv ? textOfFirst(row, this.mapping.times, this.isExact) : this.of(row).time;
  }

  private mapped(member: JsonMember): JsonMember[] {
    const name = this.mapping.columns.get(member.name);
    return name === null ? [] : [{ ...member, name: name ?? member.name }];
  }
}

/** Returns a test for the names that are fields, and nothing else that we know of a submission. */
export function isFieldOf(provider: Provider, isCsv: boolean, times: readonly string[]): (name: string) => boolean {
  const { spam, leftOut, referer, userAgent, origin = [], isOurs = false } = provider;
  const ids = idsOf(provider, isCsv);
  const known = new Set(
    [...times, ...ids, ...spam, ...leftOut, ...referer, ...userAgent, ...origin].map((name) => keyOf(name, isOurs)),
  );
  return (name) => !known.has(keyOf(name, isOurs));
}

function idsOf({ id, idInCsv = [] }: Provider, isCsv: boolean) {
  return isCsv ? [...id, ...idInCsv] : id;
}

/** Returns what names are compared by: in any case of letters, unless they are exact. */
export function keyOf(name: string, isExact: boolean) {
  return isExact ? name : name.toLowerCase();
}

/** Returns the text of the first of these columns that has one. */
function textOfFirst(row: readonly JsonMember[], names: readonly string[], isExact: boolean) {
  for (const wanted of names) {
    const found = row.find(({ name }) => keyOf(name, isExact) === keyOf(wanted, isExact));
    const text = found ? textOf(found.json) : '';
    if (text !== '') return text;
  }
  return null;
}

function textOf(json: string) {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? json : '';
}

function isObject(json: string) {
  return json.startsWith('{');
}

function saysYes(json: string) {
  const value: unknown = JSON.parse(json);
  const said: unknown = isObject(json) ? (value as { spam?: unknown }).spam : value;
  return YES.has(typeof said === 'string' ? said.trim().toLowerCase() : JSON.stringify(said));
}
