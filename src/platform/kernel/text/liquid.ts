import { Liquid, type LiquidError } from 'liquidjs';

/** Longest template, and longest text that one makes, in characters. */
const TEMPLATE_MAX = 60_000;
const MADE_MAX = 1_048_576;
/** Parts that are written at most, objects that are made, and time that it takes, in milliseconds. */
const LIMITS = { templateLimit: 5_000, memoryLimit: 1_000_000, renderLimit: 50 };
/** Tags that choose, and tags of whole templates; no tag reads files. */
const CHOOSING = ['if', 'unless', 'case', 'comment', 'raw', '#'];
const ALL = [...CHOOSING, 'for', 'break', 'continue', 'assign', 'capture', 'cycle'];
/** `{{name}}`, as `fill` reads it. */
const PLACEHOLDER = /\{\{[^{}]{1,300}\}\}/g;

/** Characters that the template which is written now may still make. */
let left = 0;

const choosing = engineWith(CHOOSING);
const whole = engineWith(ALL);

function engineWith(tags: readonly string[]) {
  const engine = new Liquid({
    ...{ ownPropertyOnly: true, strictFilters: true, parseLimit: TEMPLATE_MAX },
    outputEscape: (value) => {
      const text = typeof value === 'object' ? JSON.stringify(value ?? '') : String(value ?? '');
      left -= text.length;
      if (left < 0) throw new Error(`It makes more than ${MADE_MAX} characters.`);
      return text;
    },
  });
  for (const tag of Object.keys(engine.tags)) {
    if (!tags.includes(tag)) Reflect.deleteProperty(engine.tags, tag);
  }
  return engine;
}

/** A template cannot be written for a submission. */
export class TemplateFailed extends Error {}

/**
 * Writes a template of Liquid.
 * @throws TemplateFailed for one that is wrong, or takes or makes too much
 */
export function writeTemplate(template: string, scope: Readonly<Record<string, unknown>>) {
  try {
    return made(whole, template, scope);
  } catch (error) {
    throw new TemplateFailed(reasonOf(error));
  }
}

/**
 * Follows the tags of a text that choose parts by values, such as `{% if topic == "Sales" %}`. Placeholders stay as they are.
 * A text that is no template stays whole: it may be from before there were tags.
 * @param values by the names of placeholders; `fields` has all of them
 */
export function chosenParts(text: string, values: ReadonlyMap<string, string>) {
  if (!text.includes('{%')) return text;
  const fields = Object.fromEntries(values);
  const form = { name: values.get('form.name') };
  try {
    return made(choosing, kept(text), { ...fields, form, fields });
  } catch {
    return text;
  }
}

/** Says what is wrong with the tags of a text; null for nothing. @param isWhole whether it is a template on its own */
export function templateProblem(text: string, isWhole = false): string | null {
  try {
    if (isWhole) whole.parse(text);
    else if (text.includes('{%')) choosing.parse(kept(text));
    return null;
  } catch (error) {
    return `must be a template that can be read: ${reasonOf(error)}`;
  }
}

function made(engine: Liquid, template: string, scope: object) {
  left = MADE_MAX;
  return String(engine.parseAndRenderSync(template, scope, LIMITS));
}

function kept(text: string) {
  return text.replace(PLACEHOLDER, (placeholder) => `{% raw %}${placeholder}{% endraw %}`);
}

function reasonOf(error: unknown) {
  const [reason = ''] = (error as LiquidError).message.split('\n');
  return reason;
}
