import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/principal.js';
import { AliasesService, type Standing } from '../../forms/aliases/aliases.service.js';
import { AliasTaken } from '../../forms/aliases/alias.errors.js';
import type { Provider } from '../../forms/aliases/old-address.js';
import { isPattern, FIELDS_MAX, type Field } from '../../forms/model/field.js';
import { FormFields } from '../../forms/model/form-fields.js';
import { FORM_NAME_MAX } from '../../forms/model/form-settings.js';
import { FormsService } from '../../forms/forms.service.js';
import { HONEYPOT_MAX, SpamSettings } from '../../spam/judge/spam-settings.js';
import { Config } from '../../platform/config/config.js';
import { HtmlTooComplex, OVER_PAGE_LIMITS, attributeOf } from '../../platform/html/read-html.js';
import { UnreadableMove } from './model/move.errors.js';
import { FORMS_MAX, NOTHING_PLANNED, type PlannedForm } from './model/planned-form.js';
import { readFormspreeJson, readIdLines } from './reading/id-lines.js';
import { findPageForms, type PageForm } from './reading/page-forms.js';

/** Name of a form whose page says none. */
const UNNAMED = 'Contact form';

/** Kinds of texts that forms are made from: an HTML page, a formspree.json, a line for each id. */
export const MOVE_KINDS = ['page', 'formspree', 'ids'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/** A text with forms of another provider. */
export interface MoveText {
  kind: MoveKind;
  content: string;
  /** Provider of ids that stand alone; null where each line has an address. */
  provider: Provider | null;
  /** Formspree's project of the keys in a formspree.json; null where no page names them. */
  project: string | null;
}

/** A form, as it is to be made or was. */
export interface MovedForm {
  plan: PlannedForm;
  /** Identifier of the form here; null before it is made. */
  identifier: string | null;
  /** Whether it was here before, since its old id led to it already. */
  wasHere: boolean;
  /** Whether the old id leads to it. Where it is false, another account has it, or there is none. */
  isReached: boolean;
}

export interface Moved {
  forms: MovedForm[];
  /** The page with its new addresses; null for other texts. */
  page: string | null;
}

/** Makes forms for those that somebody has at another provider. */
@Injectable()
export class MovesService {
  constructor(
    private readonly forms: FormsService,
    private readonly aliases: AliasesService,
    private readonly config: Config,
  ) {}

  /** Says what `make` would do. @throws UnreadableMove */
  async plan(principal: Principal, text: MoveText): Promise<Moved> {
    const { plans } = await readText(text);
    const forms: MovedForm[] = [];
    for (const plan of plans) {
      const standing = await this.standing(principal, plan);
      const identifier = typeof standing === 'object' ? standing.identifier : null;
      const isReached = standing !== 'taken';
      forms.push({ plan, identifier, wasHere: identifier !== null, isReached });
    }
    return { forms, page: null };
  }

  /**
   * Makes a form for each one of a text, with its labels, and has its old id lead to it. What a page asks of its fields
   * becomes rules that hold submissions and refuse none. A form that the old id leads to already stays as it is.
   * @throws UnreadableMove, FormCreationForbidden
   */
  async make(principal: Principal, text: MoveText): Promise<Moved> {
    const { plans, pageForms } = await readText(text);
    const forms: MovedForm[] = [];
    for (const plan of plans) forms.push(await this.makeOne(principal, plan));
    const actions = pageForms.map((form, index): [PageForm, string] => [
      form,
      `${this.config.baseUrl}/f/${forms[index]?.identifier ?? ''}`,
    ]);
    const page = text.kind === 'page' ? rewrittenPage(text.content, actions) : null;
    return { forms, page };
  }

  /** Returns the fields of the first form on a page. @throws UnreadableMove */
  async fieldsOf(html: string): Promise<readonly Field[]> {
    const text: MoveText = { kind: 'page', content: html, provider: null, project: null };
    const { plans } = await readText(text);
    return plans[0]?.fields ?? [];
  }

  private async makeOne(principal: Principal, plan: PlannedForm): Promise<MovedForm> {
    const standing = await this.standing(principal, plan);
    if (typeof standing === 'object') {
      return { plan, identifier: standing.identifier, wasHere: true, isReached: true };
    }
    const { name, old, fields, honeypot, provider, emails } = plan;
    const settings = { name, ...(emails !== null && { notifyOwnerEmails: emails }) };
    const { identifier } = await this.forms.create(principal, settings);
    const extras = {
      ...(fields.length > 0 && { formFields: new FormFields(fields, 'hold').encode() }),
      ...(honeypot !== null && { spamSettings: trappedBy(honeypot) }),
      ...(provider !== null && provider !== 'formbackend' && { dialect: provider }),
    };
    if (Object.keys(extras).length > 0) await this.forms.change(principal, identifier, extras);
    return {
      plan,
      identifier,
      wasHere: false,
      isReached: await this.lead(principal, identifier, old),
    };
  }

  private async lead(
    principal: Principal,
    identifier: string,
    old: PlannedForm['old'],
  ): Promise<boolean> {
    if (old === null) return false;
    try {
      await this.aliases.add(principal, identifier, old.provider, old.value);
      return true;
    } catch (error) {
      if (error instanceof AliasTaken) return false;
      throw error;
    }
  }

  private standing(principal: Principal, { old }: PlannedForm): Promise<Standing> {
    return old ? this.aliases.standing(principal, old.value) : Promise.resolve('taken');
  }
}

/** @throws UnreadableMove */
async function readText(text: MoveText): Promise<{ plans: PlannedForm[]; pageForms: PageForm[] }> {
  const { kind, content, provider, project } = text;
  const pageForms = kind === 'page' ? await pageFormsIn(content) : [];
  const plans =
    kind === 'formspree'
      ? readFormspreeJson(content, project)
      : kind === 'ids'
        ? readIdLines(content, provider)
        : pageForms.map((form) => ({ ...NOTHING_PLANNED, ...planOf(form) }));
  if (plans.length === 0) throw new UnreadableMove(NOTHING_FOUND[kind]);
  if (plans.length > FORMS_MAX) {
    throw new UnreadableMove(`There are more than ${FORMS_MAX} forms. Split the text.`);
  }
  return { plans: await Promise.all(plans.map(fitted)), pageForms };
}

/** @throws UnreadableMove */
async function pageFormsIn(html: string): Promise<PageForm[]> {
  try {
    return await findPageForms(html);
  } catch (error) {
    if (!(error instanceof HtmlTooComplex)) throw error;
    throw new UnreadableMove(`The page has ${OVER_PAGE_LIMITS}. Paste the part with the form.`);
  }
}

const NOTHING_FOUND: Readonly<Record<MoveKind, string>> = {
  page: 'This page has no form that sends with method="post". If a script makes it, paste the HTML that the browser shows.',
  formspree: 'This formspree.json has no forms.',
  ids: 'There is no id. Write one in each line.',
};

function planOf(form: PageForm): Omit<PlannedForm, 'emails'> {
  const { name, provider, old, fields, honeypot } = form;
  return { name, provider, old, fields, honeypot };
}

/** Returns the spam settings of a form with a honeypot of its own. */
function trappedBy(honeypot: string): string {
  const usual = SpamSettings.of({ spamSettings: null, whitelistedDomains: null });
  return usual.changed({ honeypots: [honeypot] });
}

/** Returns a plan within the limits of forms. */
async function fitted(plan: PlannedForm): Promise<PlannedForm> {
  const name = Array.from(plan.name.trim() || UNNAMED).slice(0, FORM_NAME_MAX);
  const fields: Field[] = [];
  for (const field of plan.fields.slice(0, FIELDS_MAX)) {
    const { pattern, ...others } = field;
    fields.push(pattern === undefined || (await isPattern(pattern)) ? field : others);
  }
  const honeypot =
    plan.honeypot !== null && plan.honeypot.length > HONEYPOT_MAX ? null : plan.honeypot;
  return { ...plan, name: name.join(''), fields, honeypot };
}

/**
 * Returns a page whose forms are sent to new addresses. All but the two attributes stays as it is written.
 * @param actions the new address of each form
 */
function rewrittenPage(html: string, actions: readonly [PageForm, string][]): string {
  let text = html;
  // From the end, so that what stands before keeps its place.
  for (const [form, action] of actions.toReversed()) text = rewritten(text, form, action);
  return text;
}

function rewritten(html: string, { element, tag }: PageForm, action: string): string {
  const wanted: Record<string, string> = { action, method: 'post' };
  const places = element.sourceCodeLocation?.attrs ?? {};
  const known = Object.keys(wanted)
    .flatMap((name) => (places[name] ? [{ name, ...places[name] }] : []))
    .sort((one, other) => other.startOffset - one.startOffset);
  let text = html;
  const missing = Object.keys(wanted).filter((name) => attributeOf(element, name) === null);
  const at = tag.start + '<form'.length;
  for (const { name, startOffset, endOffset } of known) {
    if (attributeOf(element, name)?.toLowerCase() === wanted[name]) continue;
    text = text.slice(0, startOffset) + written(name, wanted[name]) + text.slice(endOffset);
  }
  const added = missing.map((name) => ` ${written(name, wanted[name])}`).join('');
  return text.slice(0, at) + added + text.slice(at);
}

function written(name: string, value = ''): string {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}
