import { commaList, InvalidFields, type FieldProblem, parseWebUrl } from '../../platform/index.js';
import type { KindSettings, KindSetting } from '../kinds/kind.js';
import { routesIn } from '../kinds/email.js';
import { joinLogin, spellingsOf, splitLogin, parseHttpUrl } from '../../forms/model/form-values.js';
import { makeWebhookSecret } from '../kinds/signatures.js';
import { kindOf, type KindName } from '../kinds/kinds.js';
import type { Form } from '../../forms/model/form.entity.js';
import { type Facts, valuesOf, folded } from './condition.js';
import type { DeliveryKind } from '../../deliveries/model/delivery.entity.js';
import type { FormChange, FormSettings } from '../../forms/model/form-settings.js';
import { decodeVisitorMail, encodeVisitorMail } from '../../forms/model/visitor-mail.js';

/** Returns the first of these that one of the values of a field is, as a condition compares. */
function firstIs<T extends { value: string }>(field: string, among: readonly T[], about: Pick<Facts, 'values'>) {
  const known = new Set(valuesOf(field, about).map(folded));
  return among.find(({ value }) => known.has(folded(value)));
}

/** Returns everybody whom the settings of a mail name, each address once. */
export function recipientsIn({ to, cc, bcc, routes }: KindSettings): string[] {
  const named = [to, cc, bcc].flatMap((list) => commaList(list ?? ''));
  return [...new Set([...named, ...routesIn(routes).flatMap((route) => route.to)])];
}

/** Returns the addresses of mails that were not named before; those that a form names are its own. */
export function newAddresses(
  { kind, role }: { kind: KindName; role: Role | null },
  before: KindSettings,
  after: KindSettings,
): string[] {
  if (kindOf(kind).mail !== 'owner') return [];
  const named = (settings: KindSettings) =>
    recipientsIn(role && isOfForm(role, 'to') ? { ...settings, to: undefined } : settings);
  const known = new Set(named(before));
  return named(after).filter((address) => !known.has(address));
}

/**
 * Returns who gets the mail about a submission by the first line that fits it, or else by `to`; with `cc` and `bcc`.
 * Where that is nobody, no copies go out either.
 */
export function recipientsOf(settings: KindSettings, about: Pick<Facts, 'values'>): string[] {
  const to = directOf(settings, about);
  return to.length === 0 ? [] : recipientsIn({ to: to.join(), cc: settings.cc, bcc: settings.bcc });
}

/** Returns whom the mail about a submission is to, without those who get a copy. */
export function directOf({ to, routes, route_field: field }: KindSettings, about: Pick<Facts, 'values'>): string[] {
  const route = field === undefined ? undefined : firstIs(field, routesIn(routes), about);
  return route?.to ?? commaList(to ?? '');
}

/** Where the settings stand in a request. */
const PLACE = 'destination.settings';

/** Stands for what is not shown. */
export const HIDDEN = '…';

/** The address of the webhook of a form, as the contract has it. */
const WEBHOOK_URL = {
  label: 'URL',
  hint: 'We POST each submission that is not spam to this URL.',
  max: 2_048,
  isAddress: true,
  parse: parseHttpUrl,
  must: 'must be an absolute http or https address without user and password. For one with them add a destination of the kind webhook',
} as const satisfies KindSetting;

/** Returns the settings of a kind, or of one of the first destinations of a form, of which none is required. */
export function settingsOf(name: KindName, role: Role | null): Readonly<Record<string, KindSetting>> {
  const { settings } = kindOf(name);
  return role === 'webhook' ? { ...settings, url: WEBHOOK_URL } : settings;
}

/** Settings by who may see them. */
export interface SplitSettings {
  open: Record<string, string>;
  secret: Record<string, string>;
}

/**
 * Applies settings to the old ones: what is left out stays, and so does a secret that is sent back as it was shown;
 * an empty text or null removes. Another address requires its secrets anew, so that nobody leads them elsewhere unseen;
 * its user and password stay with an address of the same origin, until another is given, or none as in `https://@…`.
 * @throws InvalidFields
 */
export function changedSettings(
  { kind: name, role }: { kind: KindName; role: Role | null },
  before: KindSettings,
  given: Readonly<Record<string, unknown>>,
  isNew: boolean,
): KindSettings {
  const settings = settingsOf(name, role);
  const { missing } = kindOf(name);
  const shown = shownSettings(name, before);
  const after: Record<string, string | undefined> = { ...before };
  const givenAnew = new Set<string>();
  const problems: FieldProblem[] = [];
  const refuse = (field: string, code: string, what: string) => {
    problems.push({ field: `${PLACE}.${field}`, code, message: `${PLACE}.${field} ${what}.` });
  };
  for (const [field, value] of Object.entries(given)) {
    const setting = Object.hasOwn(settings, field) ? settings[field] : undefined;
    if (!setting || setting.isOurs) {
      const known = Object.keys(settings).filter((each) => !settings[each]?.isOurs);
      refuse(field, 'unknown_field', `is no setting of this kind, which has ${known.join(', ')}`);
    } else if (value === null || (typeof value === 'string' && value.trim() === '')) {
      after[field] = undefined;
    } else if (typeof value !== 'string') refuse(field, 'wrong_type', 'must be a string');
    else if (!(setting.isSecret && value === shown[field])) {
      const read = readSetting(setting, value);
      if (typeof read === 'object') refuse(field, read.code, read.what);
      else {
        const isLoginGiven = splitLogin(value.trim()).url !== value.trim();
        after[field] = setting.isAddress && !isLoginGiven ? withLogin(read, before[field]) : read;
        givenAnew.add(field);
      }
    }
  }
  const isElsewhere = originsOf(name, before) !== originsOf(name, after);
  for (const [field, { isSecret, isAddress, isSigned }] of Object.entries(settings)) {
    const isKept = after[field] !== undefined && !givenAnew.has(field);
    if (!isElsewhere || !isKept || !isSecret || isAddress || isSigned) continue;
    refuse(field, 'required', 'must be sent again, or null, since the address is another');
  }
  const required = Object.entries(settings).filter(
    ([field, { isRequired }]) => isRequired && after[field] === undefined,
  );
  const lacking = [...required.map(([field]) => field), ...(missing?.(after) ?? [])];
  for (const field of lacking.filter((each) => !role || !isOfForm(role, each))) {
    const isRefused = problems.some((problem) => problem.field === `${PLACE}.${field}`);
    if (!isRefused) refuse(field, 'required', 'is required');
  }
  if (name === 'webhook' && isNew) after.secret ??= makeWebhookSecret();
  if (name === 'webhook' && after.secret === undefined) {
    refuse('secret', 'required', 'must be whsec_ and base64 of 24 to 64 bytes; calls are signed by it');
  }
  if (problems.length > 0) throw new InvalidFields(problems);
  return after;
}

/** Returns settings as they are shown: of a secret address its host, of another secret nothing. */
export function shownSettings(name: KindName, settings: KindSettings): Record<string, string> {
  const { open, secret } = splitSettings(name, settings);
  const hidden = Object.entries(secret)
    .filter(([field]) => !kindOf(name).settings[field]?.isOurs)
    .map(([field, value]) => [field, hiddenIn(value)]);
  return { ...(Object.fromEntries(hidden) as Record<string, string>), ...open };
}

/** Returns a secret as it is shown: of a web address its origin. */
function hiddenIn(secret: string) {
  const url = parseWebUrl(secret);
  return url ? `${url.origin}/${HIDDEN}` : HIDDEN;
}

/** Returns an address with the user and password of the one before, where it leads to the same origin. */
function withLogin(url: string, before: string | undefined) {
  if (before === undefined || new URL(before).origin !== new URL(url).origin) return url;
  return joinLogin({ url, login: splitLogin(before).login });
}

/** Splits settings by who may see them. */
export function splitSettings(name: KindName, settings: KindSettings): SplitSettings {
  const kind = kindOf(name);
  const split: SplitSettings = { open: {}, secret: {} };
  for (const [field, { isSecret, isAddress }] of Object.entries(kind.settings)) {
    const value = settings[field];
    if (value === undefined) continue;
    const { url, login } = isAddress ? splitLogin(value) : { url: value, login: null };
    if (!isSecret) split.open[field] = url;
    if (isSecret || login !== null) split.secret[field] = value;
  }
  return split;
}

/** Returns the texts that nobody may read, as far as an answer could repeat them. */
export function secretsIn(name: KindName, settings: KindSettings): string[] {
  const { open, secret } = splitSettings(name, settings);
  return Object.entries(secret).flatMap(([field, value]) => {
    const { url, login } = splitLogin(value);
    return [...(open[field] === undefined ? [value, url] : []), ...(login === null ? [] : spellingsOf(login))];
  });
}

/** Returns the addresses that a destination calls, with the settings that name them. */
export function addressesOf(name: KindName, settings: KindSettings): [string, string][] {
  return Object.entries(kindOf(name).settings).flatMap(([field, { isAddress }]) => {
    const value = settings[field];
    return isAddress && value !== undefined ? [[field, value] as [string, string]] : [];
  });
}

/** Returns what the addresses of a destination lead to, to compare it. */
function originsOf(name: KindName, settings: KindSettings) {
  return addressesOf(name, settings)
    .map(([field, url]) => `${field} ${new URL(url).origin}`)
    .join();
}

/** Returns the host that a destination calls; null for mails. */
export function hostOf(name: KindName, settings: KindSettings): string | null {
  const [first] = addressesOf(name, settings);
  return first ? new URL(first[1]).host : (kindOf(name).host ?? null);
}

function readSetting({ max, choices, pattern, parse, must = 'is not valid' }: KindSetting, value: string) {
  if (!value.isWellFormed()) {
    return { code: 'not_unicode', what: 'must not contain half of a character (a lone surrogate)' };
  }
  if (Array.from(value).length > max) {
    return { code: 'wrong_length', what: `must not exceed ${max} characters` };
  }
  if (choices && !Object.hasOwn(choices, value)) {
    return { code: 'not_allowed', what: `must be one of ${Object.keys(choices).join(', ')}` };
  }
  const isMatched = pattern?.test(value.trim()) ?? true;
  const read = parse ? parse(value) : isMatched ? value.trim() : null;
  if (typeof read === 'string') return read;
  return { code: 'invalid', what: read?.must ?? must };
}

/** Whose submissions go there: a form, all forms of a client, or all forms of the account. */
export interface Place {
  accountId: number;
  formId: number | null;
  clientId: number | null;
}

/** Returns the place of the destinations of a form. */
export function placeOf({ id: formId, accountId }: Pick<Form, 'id' | 'accountId'>): Place {
  return { accountId, formId, clientId: null };
}

/** One of the destinations that every form has. */
interface FirstDestination {
  name: string;
  kind: KindName;
  /** Kind of its deliveries, which name no destination: a form has one for each kind. */
  delivery: DeliveryKind;
  /** Setting of the form that turns it on; null for one that is on while it has an address. */
  switch: 'notifyOwnerOnSubmission' | 'notifySubmitter' | null;
  /** Settings of its kind that are settings of the form, by their names. */
  fields: Readonly<Record<string, keyof FormSettings>>;
}

/**
 * The destinations that every form has, in order. The contract has their settings as fields of the form, which stores them
 * (decision 0090); their rows have the rest, and are stored with the first change of that.
 */
const FIRST = {
  team: {
    ...{ name: 'Team', kind: 'email', delivery: 'owner_email' },
    switch: 'notifyOwnerOnSubmission',
    fields: { to: 'notifyOwnerEmails' },
  },
  visitor: {
    ...{ name: 'Visitor', kind: 'visitor_email', delivery: 'submitter_email' },
    switch: 'notifySubmitter',
    fields: {
      from: 'notifySubmitterFrom',
      from_name: 'notifySubmitterFromName',
      subject: 'notifySubmitterSubject',
      body: 'notifySubmitterBody',
    },
  },
  webhook: {
    ...{ name: 'Webhook', kind: 'webhook', delivery: 'webhook' },
    switch: null,
    fields: { url: 'webhookUrl' },
  },
} as const satisfies Record<string, FirstDestination>;

export type Role = keyof typeof FIRST;
export const ROLES = Object.keys(FIRST) as Role[];

/** Returns one of the first destinations, by its role. */
export function firstOf(role: Role): FirstDestination {
  return FIRST[role];
}

/** Tells whether a setting of one of the first destinations is one of its form; of the mail to the visitor all are. */
export function isOfForm(role: Role, name: string) {
  return role === 'visitor' || name in firstOf(role).fields;
}

/** The settings of a form that one of its first destinations has. */
export interface SaidByForm {
  role: Role;
  /** Null where no setting turns it on and off. */
  isOn: boolean | null;
  settings: Record<string, string>;
}

/** Returns what a form says of one of its first destinations. */
export function saidBy(form: Form, role: Role): SaidByForm {
  const { switch: turns, fields } = firstOf(role);
  const settings = Object.entries(fields).map(([name, field]) => [name, form[field]]);
  const { html, doubleOptIn } = decodeVisitorMail(form.visitorMail);
  const more = { html, confirm: doubleOptIn ? 'yes' : null };
  const all = role === 'visitor' ? [...settings, ...Object.entries(more)] : settings;
  return {
    role,
    isOn: turns && form[turns] === true,
    settings: Object.fromEntries(all.filter(([, value]) => value !== null)) as SaidByForm['settings'],
  };
}

/** Returns the settings by which a form says of one of its first destinations that it has these. */
export function formSettings(role: Role, settings: KindSettings): FormChange {
  const { html = null, confirm } = settings;
  return {
    ...Object.fromEntries(Object.entries(firstOf(role).fields).map(([name, field]) => [field, settings[name] ?? null])),
    ...(role === 'visitor' && { visitorMail: encodeVisitorMail({ html, doubleOptIn: confirm === 'yes' }) }),
  };
}

/** Every id of theirs begins so: a UUID of version 8, with the role and the form in its last bytes. */
const BEGIN = Buffer.from('000000000000800080', 'hex');
const ROLE_AT = 9;
const FORM_AT = 12;

/** Returns the id of one of the first destinations of a form, as `00000000-0000-8000-8001-000000000007`. */
export function firstId(formId: number, role: Role): Buffer {
  const id = Buffer.alloc(16);
  BEGIN.copy(id);
  id[ROLE_AT] = ROLES.indexOf(role) + 1;
  id.writeInt32BE(formId, FORM_AT);
  return id;
}

/** Returns what an id says that is one of the first destinations; null for others. */
export function firstNamed(id: Buffer): { role: Role; formId: number } | null {
  const role = ROLES[(id[ROLE_AT] ?? 0) - 1];
  if (!role || !id.subarray(0, ROLE_AT).equals(BEGIN)) return null;
  return { role, formId: id.readInt32BE(FORM_AT) };
}
