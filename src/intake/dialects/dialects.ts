import { jsonElements, jsonMembers, type JsonMember, parseUuid, timeOf, decodedPart } from '../../platform/index.js';
import { asProvider, type Provider, isOwnSegment } from '../../forms/aliases/old-address.js';
import type { RawSubmission, Roles, Success } from '../model/special-fields.js';
import { SUBMIT_ROUTE } from '../../platform/http/index.js';

/** An address that a provider's pages send to. */
interface DialectPath {
  /** In Express's spelling, for logs and metrics. */
  route: string;
  /** Its groups are the parts of the id; without one the id is in a field of the role `key`. */
  pattern: RegExp;
  /** Answers JSON, whatever the client accepts. */
  isJson?: boolean;
}

/** A failure, as each provider words it in its own keys. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  errors: { field: string | null; code: string; message: string }[];
}

/**
 * How pages speak that were made for a provider. What a dialect does not say is as for our own pages. Fields that name
 * recipients, webhooks or templates are left out and never obeyed: anybody can send them.
 */
export interface Dialect {
  provider: Provider;
  paths: readonly DialectPath[];
  roles: Roles;
  /** Brings what was sent into names and values. */
  read?(sent: RawSubmission): RawSubmission;
  /** Returns the body of a success, for scripts. */
  success?(success: Success): object;
  /** Returns the body of a failure, for scripts. */
  failure?(failure: Failure): object;
}

/** `/f/:id`, which several providers share with us. */
const F_PATH: DialectPath = { route: SUBMIT_ROUTE.route, pattern: SUBMIT_ROUTE.path };
/** `/:id`, which is nobody's while it is an address of our own. */
const ROOT_PATH: DialectPath = { route: '/:alias', pattern: /^\/([^/]+)\/?$/s };

/** `fi-text-message` is the field `message`; `fi-sender-email` is `email`. */
const TYPED = /^fi-[a-z]+-(.+)$/i;

const forminit: Dialect = {
  provider: 'forminit',
  paths: [F_PATH, { route: '/forminit', pattern: /^\/forminit\/?$/s }],
  roles: { forminitFormId: 'key' },
  read: ({ members, files }) => ({
    members: members.flatMap(unwrapped).flatMap(read),
    files: files.map((file) => ({ ...file, field: plainName(file.field) })),
  }),
  success: ({ id, next }) => ({ success: true, redirectUrl: next, submission: { hashId: id, date: dateOf(id) } }),
  failure: ({ status, code, message, errors }) => {
    const field = errors.find((entry) => entry.field !== null);
    return {
      ...{ success: false, error: field?.code ?? code, message: field?.message ?? message },
      ...{ code: status, ...(field && { fieldName: field.field }) },
    };
  },
};

/** Returns what is under `data`, where its script puts all that it sends to an address of one's own. */
function unwrapped(member: JsonMember) {
  const { name, json } = member;
  return name === 'data' && json.startsWith('{') ? jsonMembers(json) : [member];
}

function read({ name, json }: JsonMember) {
  if (name === 'blocks' && json.startsWith('[')) return jsonElements(json).flatMap(fieldsOf);
  return [{ name: plainName(name), json }];
}

/** Returns the fields of a block: one by its name, or what it says of the sender or of the way here. */
function fieldsOf(block: string) {
  if (!block.startsWith('{')) return [];
  const parts = new Map(jsonMembers(block).map(({ name, json }) => [name, json]));
  const properties = parts.get('properties');
  if (properties?.startsWith('{')) return jsonMembers(properties);
  const name: unknown = JSON.parse(parts.get('name') ?? 'null');
  return typeof name === 'string' ? [{ name, json: parts.get('value') ?? 'null' }] : [];
}

function plainName(name: string) {
  return TYPED.exec(name)?.[1] ?? name;
}

function dateOf(id: string) {
  const bytes = parseUuid(id);
  return bytes && timeOf(bytes).toISOString();
}

/** Our codes of fields in the words of Formspree's clients, which know no others. */
const FORMSPREE_CODES: Readonly<Record<string, string>> = {
  REQUIRED: 'REQUIRED_FIELD_EMPTY',
  NOT_AN_EMAIL: 'TYPE_EMAIL',
  NOT_A_NUMBER: 'TYPE_NUMERIC',
  NOT_A_URL: 'TYPE_TEXT',
  NOT_A_CHOICE: 'TYPE_TEXT',
  PATTERN_MISMATCH: 'TYPE_TEXT',
  FORM_PAUSED: 'INACTIVE',
  FORM_CLOSED: 'INACTIVE',
  FORM_NOT_OPEN_YET: 'INACTIVE',
  FORM_FULL: 'INACTIVE',
  FORM_FULL_FOR_NOW: 'INACTIVE',
};

/** The dialect of each provider. A new one is an entry with its addresses and the roles of its fields. */
const DIALECTS: Readonly<Record<Provider, Dialect>> = {
  basin: {
    provider: 'basin',
    paths: [{ route: '/f/:identifier.json', pattern: /^\/f\/([^/]*)\.json$/is, isJson: true }, F_PATH],
    roles: { _redirect: 'next', source_url: 'page' },
  },
  /** Its pages are ours, but for their ids. */
  formbackend: { provider: 'formbackend', paths: [F_PATH], roles: {} },
  formcarry: {
    provider: 'formcarry',
    paths: [{ route: '/s/:id', pattern: /^\/s\/([^/]+)\/?$/s }],
    roles: { returnUrl: 'next', failUrl: 'error', returnParams: 'setting' },
  },
  forminit,
  formspark: {
    provider: 'formspark',
    paths: [ROOT_PATH],
    roles: {
      ...{ _redirect: 'next', _error: 'error', _append: 'append', _honeypot: 'honeypot' },
      ...{ _email: 'setting', '_email.subject': 'subject', '_email.*': 'setting' },
      ...{ _feedback: 'setting', '_feedback.language': 'language', '_feedback.*': 'setting', _botpoison: 'setting' },
    },
  },
  formspree: {
    provider: 'formspree',
    paths: [F_PATH, { route: '/p/:project/f/:key', pattern: /^\/p\/([^/]+)\/f\/([^/]+)\/?$/s }, ROOT_PATH],
    roles: { _next: 'next', _cc: 'setting', _format: 'setting' },
    failure: ({ message, errors }) => ({
      error: message,
      errors: errors.map((entry) => ({ ...entry, code: FORMSPREE_CODES[entry.code] ?? entry.code })),
    }),
  },
  formsubmit: {
    provider: 'formsubmit',
    paths: [ROOT_PATH, { route: '/el/:alias', pattern: /^\/(el\/[^/]+)\/?$/s }],
    roles: {
      ...{ _next: 'next', _url: 'page', _honey: 'honeypot', _captcha: 'setting' },
      ...{ _template: 'setting', _cc: 'setting', _blacklist: 'setting' },
      ...{ _autoresponse: 'setting', _webhook: 'setting' },
    },
  },
  getform: { provider: 'getform', paths: [F_PATH], roles: { _redirect: 'next' } },
  /** Its pages name no host, so they need the address of a form here, and that form this dialect. */
  netlify: {
    provider: 'netlify',
    paths: [],
    roles: { 'form-name': 'setting', 'bot-field': 'honeypot', subject: 'subject' },
  },
  /** Its old clients read what is in `body`, the new ones what is around it. */
  web3forms: {
    provider: 'web3forms',
    paths: [
      { route: '/submit', pattern: /^\/submit\/?$/s },
      { route: '/submit/:key', pattern: /^\/submit\/([^/]+)\/?$/s },
    ],
    roles: {
      ...{ access_key: 'key', apikey: 'key', redirect: 'next', botcheck: 'honeypot' },
      ...{ subject: 'subject', webhook: 'setting', ccemail: 'setting' },
      recaptcha_response: 'setting',
    },
    success: (success) => {
      const { message, id } = success;
      return { ...success, statusCode: 200, data: { id }, body: { data: { id }, message } };
    },
    failure: ({ status: statusCode, message, errors }) => ({
      ...{ success: false, statusCode, message, errors },
      body: { data: {}, message },
    }),
  },
};

/** The same pages as FormSubmit's, whose scripts send elsewhere and compare `success` with a text. */
const FORMSUBMIT_AJAX: Dialect = {
  ...DIALECTS.formsubmit,
  paths: [{ route: '/ajax/:alias', pattern: /^\/ajax\/((?:el\/)?[^/]+)\/?$/s, isJson: true }],
  success: (success) => ({ ...success, success: 'true' }),
  failure: ({ message, errors }) => ({ success: 'false', message, errors }),
};

/** The dialect of our own pages. */
export const OURS = DIALECTS.formbackend;

/** An address that submissions are sent to. */
export interface IntakeAddress {
  path: DialectPath;
  /** The part that stands for the form; null where a field of the body does. */
  id: string | null;
  /** Dialects whose pages send there. */
  dialects: readonly Dialect[];
}

/** Each address with its dialects: that with the narrower pattern first, and the root last. */
const PATHS = [...dialectsByPath()].sort(
  ([one], [other]) => rankOf(one) - rankOf(other) || other.route.length - one.route.length,
);

/** Returns the address that a request is sent to; null when no submissions are. @param url its path and query */
export function intakeAddressOf(url: string): IntakeAddress | null {
  const query = url.indexOf('?');
  const asked = query < 0 ? url : url.slice(0, query);
  for (const [path, dialects] of PATHS) {
    const parts = path.pattern.exec(asked)?.slice(1).map(decodedPart);
    if (!parts) continue;
    if (path === ROOT_PATH && isOwnSegment(parts[0] ?? '')) return null;
    return { path, id: parts.length === 0 ? null : parts.join('/'), dialects };
  }
  return null;
}

/**
 * Returns how to speak to who sent a form: as the form says, else as its address does, else as the alias does that led
 * there.
 */
export function dialectOf({ dialects }: IntakeAddress, ofForm: string | null, ofAlias: Provider | null): Dialect {
  const fixed = asProvider(ofForm);
  const [only = OURS, ...others] = dialects;
  if (others.length === 0 && (fixed === null || only.provider === fixed)) return only;
  return DIALECTS[fixed ?? ofAlias ?? OURS.provider];
}

function dialectsByPath() {
  const byPath = new Map<DialectPath, Dialect[]>();
  for (const dialect of [...Object.values(DIALECTS), FORMSUBMIT_AJAX]) {
    for (const path of dialect.paths) byPath.set(path, [...(byPath.get(path) ?? []), dialect]);
  }
  return byPath;
}

function rankOf(path: DialectPath): number {
  return path === ROOT_PATH ? 1 : 0;
}
