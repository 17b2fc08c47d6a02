import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { AliasesService } from '../../forms/aliases/aliases.service.js';
import { AliasTaken } from '../../forms/aliases/alias.errors.js';
import type { OldId, Provider } from '../../forms/aliases/old-address.js';
import { isPattern, FIELDS_MAX, type Field } from '../../forms/model/field.js';
import { FormFields } from '../../forms/model/form-fields.js';
import { FORM_NAME_MAX } from '../../forms/model/form-settings.js';
import { FormsService } from '../../forms/forms.service.js';
import { HONEYPOT_MAX, SpamSettings } from '../../spam/judge/spam-settings.js';
import { Config, HtmlTooComplex, OVER_PAGE_LIMITS, type Element, attributeOf } from '../../platform/index.js';
import { UnreadableMove } from './model/move.errors.js';
import { FORMS_MAX, type PlannedForm } from './model/planned-form.js';
import { readFormspreeJson, readIdLines } from './reading/id-lines.js';
import { findPageForms } from './reading/page-forms.js';

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

  /**
   * Makes a form for each one of a text, with its labels, and has its old id lead to it. What a page asks of its fields
   * becomes rules that hold submissions and refuse none. A form that the old id leads to already stays as it is.
   * @param isDryRun whether it only says what it would make
   * @throws UnreadableMove, FormCreationForbidden
   */
  async make(principal: Principal, text: MoveText, isDryRun = false): Promise<Moved> {
    const forms: MovedForm[] = [];
    for (const plan of await readText(text)) {
      const known = await this.standing(principal, plan);
      forms.push(known.wasHere || isDryRun ? known : await this.makeOne(principal, plan));
    }
    if (text.kind !== 'page' || isDryRun) return { forms, page: null };
    const edits = forms.flatMap(({ plan: { element }, identifier }) =>
      element ? editsOf(element, `${this.config.baseUrl}/f/${identifier ?? ''}`) : [],
    );
    return { forms, page: edited(text.content, edits) };
  }

  /** Returns the fields of the first form on a page. @throws UnreadableMove */
  async fieldsOf(html: string): Promise<readonly Field[]> {
    const [first] = await readText({ kind: 'page', content: html, provider: null, project: null });
    return first?.fields ?? [];
  }

  private async makeOne(principal: Principal, plan: PlannedForm): Promise<MovedForm> {
    const { name, old, fields, honeypot, provider, emails } = plan;
    const settings = { name, ...(emails !== null && { notifyOwnerEmails: emails }) };
    const { identifier } = await this.forms.create(principal, settings);
    const extras = {
      ...(fields.length > 0 && { formFields: new FormFields(fields, 'hold').encode() }),
      ...(honeypot !== null && { spamSettings: trappedBy(honeypot) }),
      ...(provider !== null && provider !== 'formbackend' && { dialect: provider }),
    };
    if (Object.keys(extras).length > 0) await this.forms.change(principal, identifier, extras);
    const isReached = old !== null && (await this.lead(principal, identifier, old));
    return { plan, identifier, wasHere: false, isReached };
  }

  /** Has an old id lead to a form. @returns false when it cannot */
  private async lead(principal: Principal, identifier: string, old: OldId) {
    try {
      await this.aliases.add(principal, identifier, old.provider, old.value);
      return true;
    } catch (error) {
      if (error instanceof AliasTaken) return false;
      throw error;
    }
  }

  /** Says what is here of a form before it is made. */
  private async standing(principal: Principal, plan: PlannedForm): Promise<MovedForm> {
    const { old } = plan;
    const standing = old ? await this.aliases.standing(principal, old.value) : 'taken';
    const identifier = typeof standing === 'object' ? standing.identifier : null;
    return { plan, identifier, wasHere: identifier !== null, isReached: standing !== 'taken' };
  }
}

/** @throws UnreadableMove */
async function readText({ kind, content, provider, project }: MoveText): Promise<PlannedForm[]> {
  const plans =
    kind === 'page'
      ? await pageFormsIn(content)
      : kind === 'formspree'
        ? readFormspreeJson(content, project)
        : readIdLines(content, provider);
  if (plans.length === 0) throw new UnreadableMove(NOTHING_FOUND[kind]);
  if (plans.length > FORMS_MAX) {
    throw new UnreadableMove(`There are more than ${FORMS_MAX} forms. Split the text.`);
  }
  return Promise.all(plans.map(fitted));
}

/** @throws UnreadableMove */
async function pageFormsIn(html: string) {
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

/** Returns the spam settings of a form with a honeypot of its own. */
function trappedBy(honeypot: string) {
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
  const honeypot = plan.honeypot !== null && plan.honeypot.length > HONEYPOT_MAX ? null : plan.honeypot;
  return { ...plan, name: name.join(''), fields, honeypot };
}

/** A text that takes the place of a part of a page. */
interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Returns what sends a form to its new address. All but the two attributes stays as it is written. */
function editsOf(element: Element, action: string): Edit[] {
  const { attrs = {}, startTag } = element.sourceCodeLocation ?? {};
  const begin = (startTag?.startOffset ?? 0) + '<form'.length;
  return Object.entries({ action, method: 'post' }).flatMap(([name, value]) => {
    const text = written(name, value);
    const place = attrs[name];
    if (!place) return [{ from: begin, to: begin, text: ` ${text}` }];
    const isAlike = attributeOf(element, name)?.toLowerCase() === value;
    return isAlike ? [] : [{ from: place.startOffset, to: place.endOffset, text }];
  });
}

function edited(html: string, edits: Edit[]) {
  let page = html;
  // From the end, so that what stands before keeps its place.
  for (const { from, to, text } of edits.toSorted((a, b) => a.from - b.from).toReversed()) {
    page = page.slice(0, from) + text + page.slice(to);
  }
  return page;
}

function written(name: string, value: string) {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}
