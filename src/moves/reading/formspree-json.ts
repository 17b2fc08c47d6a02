import { valueTypeOf, type FieldRule } from '../../forms/model/field-rule.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { jsonShape } from '../../platform/kernel/text/json-text.js';
import { UnreadableMove } from '../model/move.errors.js';
import { NOTHING_PLANNED, type PlannedForm } from '../model/planned-form.js';

/** Levels and values of a file for more forms than are made of it. */
const LEVELS_MAX = 20;
const VALUES_MAX = 50_000;

/**
 * Reads the file that the command line of Formspree deploys: `{"forms":{"contact":{"name":…,"fields":…,"actions":…}}}`.
 * @param project whose pages name the forms by these keys; null where they do not
 * @throws UnreadableMove
 */
export function readFormspreeJson(text: string, project: string | null): PlannedForm[] {
  const forms = formsIn(text);
  if (!isRecord(forms)) {
    throw new UnreadableMove('This is no formspree.json: it has no object "forms".');
  }
  return Object.entries(forms).map(([key, form]) => {
    const { name, fields, actions } = isRecord(form) ? form : {};
    return {
      ...NOTHING_PLANNED,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : key,
      provider: 'formspree',
      old: project === null ? null : { provider: 'formspree', value: `${project}/${key}` },
      rules: isRecord(fields) ? Object.entries(fields).map(ruleOf) : [],
      emails: emailsIn(actions),
    };
  });
}

function formsIn(text: string): unknown {
  const { depth, values } = jsonShape(text);
  if (depth > LEVELS_MAX || values > VALUES_MAX) {
    throw new UnreadableMove(
      `The file has more than ${LEVELS_MAX} levels or ${VALUES_MAX} values. Split it.`,
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value.forms : null;
  } catch {
    throw new UnreadableMove('This is no JSON.');
  }
}

function ruleOf([field, said]: [string, unknown]): FieldRule {
  const { type, required } = isRecord(said) ? said : {};
  const kind = valueTypeOf(type);
  return { field, ...(required === true && { required }), ...(kind && { type: kind }) };
}

/** Returns the addresses that get mails; those of the environment (`$EMAIL`) are not known here. */
function emailsIn(actions: unknown): string | null {
  const all = Array.isArray(actions) ? actions.filter(isRecord) : [];
  const emails = all.flatMap(({ type, to }) => {
    const address = type === 'email' && typeof to === 'string' ? parseEmailAddress(to) : null;
    return address === null ? [] : [address];
  });
  return emails.length === 0 ? null : emails.join(',');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
