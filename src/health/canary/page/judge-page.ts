import { idInPath, normaliseId } from '../../../forms/aliases/old-address.js';
import type { PageFacts, PageHeaders, PageProblem } from './fetch-page.js';
import { addressIn, type FormOfPage, type Page, type Control, honeypotProblems, proofProblems } from './read-page.js';
import { attributeOf } from '../../../platform/index.js';
import { letsFormsSend } from './content-policy.js';

/** Fields that name the form where its address does not. */
const KEYS = ['access_key', 'apikey', 'forminitFormId'];

/** Shortest id of another provider that is looked for in texts, in characters. */
const ALIAS_LEAST = 8;

/**
 * Where a form is sent: to `ours`, to `other` forms of this service, to `old` hosts that do not lead here, `elsewhere`, or
 * to the page itself, since it says `nothing`.
 */
export type Target = 'ours' | 'other' | 'old' | 'elsewhere' | 'nothing';

/** Returns where a form is sent. @param action another address than that of the form, as buttons can name */
export function targetOf(form: FormOfPage, page: Page, facts: PageFacts, action = form.action): Target {
  if (action === null) return 'nothing';
  const url = addressIn(action, page.base);
  if (!url) return 'elsewhere';
  const isOurs = [idInPath(url.pathname), keyIn(form)].some((id) => isForm(id, facts));
  if (facts.hosts.has(url.host)) return isOurs ? 'ours' : 'other';
  // A site can pass on what is sent to it.
  if (isOurs) return url.host === page.url.host ? 'ours' : 'old';
  return 'elsewhere';
}

/** Tells whether a text names the form by an id of its own, in any case of letters. */
export function mentions(text: string, { identifier, aliases }: PageFacts) {
  const searched = text.toLowerCase();
  // Short ids are words that stand anywhere.
  const ids = [identifier, ...aliases.filter((alias) => alias.length >= ALIAS_LEAST)];
  return ids.some((id) => searched.includes(id.toLowerCase()));
}

function isForm(id: string, { identifier, aliases }: PageFacts) {
  return id === identifier || aliases.includes(normaliseId(id));
}

function keyIn({ controls }: FormOfPage) {
  const control = controls.find(({ name, type }) => type === 'hidden' && KEYS.includes(name));
  return control?.element.attrs.find(({ name }) => name === 'value')?.value ?? '';
}

/** Controls that visitors fill in, by their type. */
const FILLED =
  /^(?:text|email|tel|url|number|date|time|datetime-local|month|week|select|textarea|file|radio|checkbox)$/;
/** Those that are no help to a page when nothing is sent of them. */
const CERTAINLY_SENT = /^(?:email|tel|textarea|file)$/;
const SUBMITS = /^(?:submit|image)$/;

/** Judges a form that is sent to us. @param isScripted tells whether a script of the page names a field */
function judgeForm(
  form: FormOfPage,
  page: Page,
  headers: PageHeaders,
  facts: PageFacts,
  isScripted: (name: string) => boolean,
): PageProblem[] {
  const ofFields = fieldProblems(form, page, facts, isScripted);
  const isOff = ofFields.some(({ code }) => code === 'form_disabled');
  return [
    ...addressProblems(form, page, headers),
    ...methodProblems(form),
    ...ofFields,
    ...(isOff ? [] : buttonProblems(form, page, facts)),
    ...honeypotProblems(form, facts),
    ...proofProblems(form, page, facts),
  ];
}

function addressProblems({ action }: FormOfPage, page: Page, { policies }: PageHeaders) {
  const url = addressIn(action ?? '', page.base);
  if (!url) return [];
  const problems: PageProblem[] = [];
  if (page.url.protocol === 'https:' && url.protocol === 'http:') {
    const detail = `The page is served by https, and its form is sent by http, so browsers warn of it. Write https:// in the action ${url.href}.`;
    problems.push({ code: 'action_insecure', detail });
  }
  if ([...policies, ...page.policies].some((policy) => !letsFormsSend(policy, page.url, url))) {
    const detail = `The Content-Security-Policy of the page forbids its form to be sent. Add ${url.origin} to its form-action.`;
    problems.push({ code: 'policy_forbids', detail });
  }
  return problems;
}

function methodProblems({ element, controls }: FormOfPage) {
  const problems: PageProblem[] = [];
  const said = (name: string) => {
    const [button] = controls.filter(({ type }) => SUBMITS.test(type));
    const own = button && attributeOf(button.element, `form${name}`);
    return (own ?? attributeOf(element, name) ?? '').trim().toLowerCase();
  };
  if (said('method') !== 'post') {
    const detail = `The form is sent by ${said('method') === 'dialog' ? 'no request' : 'GET'}, so nothing arrives. Set its method to post.`;
    problems.push({ code: 'method_get', detail });
  }
  const hasFile = controls.some(({ type, name }) => type === 'file' && name !== '');
  if (hasFile && said('enctype') !== 'multipart/form-data') {
    const detail =
      'The form has a field for files and sends their names alone. Set its enctype to multipart/form-data.';
    problems.push({ code: 'enctype_wrong', detail });
  }
  return problems;
}

function fieldProblems(
  form: FormOfPage,
  page: Page,
  facts: PageFacts,
  isScripted: (name: string) => boolean,
): PageProblem[] {
  const filled = form.controls.filter(({ type }) => FILLED.test(type) || type === 'hidden');
  if (filled.length > 0 && filled.every(({ isDisabled }) => isDisabled)) {
    const detail = 'All fields of the form are disabled, so it sends nothing. Remove “disabled”.';
    return [{ code: 'form_disabled', detail }];
  }
  const sent = namesOf(filled.filter(({ isDisabled }) => !isDisabled));
  const wanted = [...new Set([...facts.required, ...facts.usual])];
  const absent = wanted.filter((name) => !sent.has(name) && !isScripted(name));
  const disabled = namesOf(filled);
  const outside = namesOf(page.loose);
  const off = absent.filter((name) => disabled.has(name));
  const out = absent.filter((name) => !disabled.has(name) && outside.has(name));
  const gone = absent.filter((name) => !disabled.has(name) && !outside.has(name));
  const unnamed = filled.filter(({ name, type }) => name === '' && (CERTAINLY_SENT.test(type) || gone.length > 0));
  return [
    ...problem(off, 'fields_disabled', 'Disabled fields are not sent', 'Remove “disabled”.'),
    ...problem(out, 'fields_outside', 'Fields stand outside of the form', 'Move them into it.'),
    ...(unnamed.length > 0 ? unnamedProblem(unnamed, gone) : missingProblem(gone, facts)),
    ...blockingProblem(form),
  ];
}

function problem(names: string[], code: string, what: string, fix: string): PageProblem[] {
  return names.length === 0 ? [] : [{ code, detail: `${what}: ${listed(names)}. ${fix}` }];
}

function unnamedProblem(unnamed: Control[], gone: string[]): PageProblem[] {
  const types = unnamed.map(({ type }) => type);
  const meant = gone.length > 0 ? ` Missing: ${listed(gone)}.` : '';
  const detail = `Fields without a name are not sent: ${listed(types)}.${meant} Give each its name.`;
  return [{ code: 'fields_unnamed', detail }];
}

function missingProblem(gone: string[], { required }: PageFacts): PageProblem[] {
  const isRefused = gone.some((name) => required.includes(name));
  const so = isRefused ? 'the rules of the form refuse what comes without them' : 'earlier submissions had them';
  const fix = `Put them back${isRefused ? ', or change the rules' : ''}.`;
  return problem(gone, 'fields_missing', `The page lacks fields, and ${so}`, fix);
}

/** Finds fields that visitors must fill in and do not see: browsers then send nothing. */
function blockingProblem({ controls }: FormOfPage): PageProblem[] {
  const blocking = controls.filter(({ element, type, isDisabled }) => {
    if (attributeOf(element, 'required') === null || isDisabled || type === 'hidden') return false;
    const style = attributeOf(element, 'style') ?? '';
    const isEmpty = !attributeOf(element, 'value');
    return isEmpty && (attributeOf(element, 'hidden') !== null || /display:\s*none/i.test(style));
  });
  const names = blocking.map(({ name }) => name);
  const what = 'Nobody sees these fields, and browsers ask for them';
  return problem(names, 'fields_block', what, 'Remove “required”, or show them.');
}

function buttonProblems(form: FormOfPage, page: Page, facts: PageFacts): PageProblem[] {
  const buttons = form.controls.filter(({ type }) => SUBMITS.test(type));
  if (buttons.length === 0) {
    const isByScript = form.controls.some(
      ({ type, element }) => type === 'button' && attributeOf(element, 'onclick') !== null,
    );
    return isByScript
      ? [
          {
            code: 'submit_by_script',
            detail: 'A script sends the form. We cannot see whether it works.',
            isUnseen: true,
          },
        ]
      : [{ code: 'submit_missing', detail: 'The form has no button that sends it. Add one of type submit.' }];
  }
  const sending = buttons.filter(({ isDisabled }) => !isDisabled);
  if (sending.length === 0) {
    const detail = 'The button that sends the form is disabled. We cannot see whether a script enables it.';
    return [{ code: 'submit_disabled', detail, isUnseen: true }];
  }
  const isElsewhere = sending.every(({ element }) => {
    const action = attributeOf(element, 'formaction')?.trim();
    return action !== undefined && targetOf(form, page, facts, action) !== 'ours';
  });
  if (!isElsewhere) return [];
  const detail = `The button has a formaction that leads elsewhere. Remove it, or set it to ${facts.address}.`;
  return [{ code: 'button_elsewhere', detail }];
}

function namesOf(controls: readonly Control[]) {
  return new Set(controls.map(({ name }) => name));
}

/** Returns names as a sentence has them, the first ten of them. */
function listed(names: readonly string[]) {
  const [shown, more] = [names.slice(0, 10), names.length - 10];
  return `${shown.map((name) => `“${name}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Most forms of a page that are judged. */
const JUDGED_MAX = 10;
/** Most pieces of a page, such as comments, in which its form is looked for. */
const PIECES_MAX = 1_000;

/**
 * Judges whether the form of a page reaches us with all its fields. Where a page has it several times, the one with the
 * fewest problems counts.
 * @returns nothing where all is well
 */
export function judgePage(page: Page, headers: PageHeaders, facts: PageFacts): PageProblem[] {
  const ours = page.forms.filter((form) => targetOf(form, page, facts) === 'ours');
  const isScripted = lookingIn(page.scripts);
  const judged = ours.slice(0, JUDGED_MAX).map((form) => judgeForm(form, page, headers, facts, isScripted));
  const [best] = judged.sort((one, other) => weightOf(one) - weightOf(other));
  return best ?? [whyMissing(page, facts)];
}

/** Returns what tells whether a text has a word, and reads the text once for each: pages have megabytes of scripts. */
function lookingIn(text: string): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const has = known.get(word) ?? text.includes(word);
    known.set(word, has);
    return has;
  };
}

function weightOf(problems: readonly PageProblem[]) {
  return problems.filter(({ isUnseen }) => !isUnseen).length;
}

/** Says why no form of a page is sent to us. */
function whyMissing(page: Page, facts: PageFacts): PageProblem {
  if (mentions(page.scripts, facts)) {
    const detail = `No form of the page is sent to ${facts.address}, but a script of it names that address. We cannot see whether the script works.`;
    return { code: 'form_by_script', detail, isUnseen: true };
  }
  const hidden = hiddenForm(page, facts);
  if (hidden) return hidden;
  const form = likelyForm(page, facts);
  if (form) return whyElsewhere(form, page, facts);
  if (page.forms.some(asksForPassword)) {
    return { code: 'page_needs_sign_in', detail: 'The page asks for a password. Set a page that everybody can open.' };
  }
  if (page.frames > 0) {
    const detail = 'The page shows other pages in frames. We look at no frames: set the page in the frame instead.';
    return { code: 'form_in_frame', detail, isUnseen: true };
  }
  return {
    code: 'form_missing',
    detail: `The page has no form that is sent to ${facts.address}. Put it back, or set the page where it is now.`,
  };
}

/** Says why a form that looks like this one is not sent to it. */
function whyElsewhere(form: FormOfPage, page: Page, facts: PageFacts): PageProblem {
  const { address } = facts;
  const fix = `Set its action to ${address}.`;
  const action = form.action ?? '';
  const shown = `“${action.slice(0, 200)}”`;
  if (form.action === null) {
    return { code: 'action_missing', detail: `The form of the page has no action. ${fix}` };
  }
  if (/^mailto:/i.test(action)) {
    return { code: 'action_mail', detail: `The form opens the visitor’s email program (${shown}). ${fix}` };
  }
  const unmoved = { ...page, base: page.url };
  if (page.hasBase && targetOf(form, unmoved, facts) === 'ours') {
    const detail = `The base of the page, ${page.base.href}, leads the action ${shown} elsewhere. ${fix}`;
    return { code: 'base_elsewhere', detail };
  }
  const target = targetOf(form, page, facts);
  if (target === 'old') {
    const host = addressIn(action, page.base)?.host ?? '';
    const detail = `The form is sent to ${host}, and no such host is known to lead here. ${fix}`;
    return { code: 'action_host', detail };
  }
  if (target === 'other') {
    return { code: 'action_other_form', detail: `The form is sent to another form: ${shown}. ${fix}` };
  }
  return { code: 'action_elsewhere', detail: `The form is sent elsewhere: ${shown}. ${fix}` };
}

/** Returns the form that has most fields of ours; null where none has any, nor is the only one that could be meant. */
function likelyForm(page: Page, { required, usual }: PageFacts) {
  const wanted = new Set([...required, ...usual]);
  const common = ({ controls }: FormOfPage) =>
    new Set(controls.flatMap(({ name }) => (wanted.has(name) ? [name] : []))).size;
  const [best, next] = page.forms
    .filter((form) => !asksForPassword(form))
    .sort((one, other) => common(other) - common(one));
  if (best && common(best) > 0) return best;
  return best && !next && isPost(best) ? best : null;
}

function isPost({ element }: FormOfPage) {
  return attributeOf(element, 'method')?.trim().toLowerCase() === 'post';
}

function asksForPassword({ controls }: FormOfPage) {
  return controls.some(({ type }) => type === 'password');
}

/** Finds our form in the source where browsers do not show it; null where it is not there. */
function hiddenForm({ html, forms }: Page, facts: PageFacts): PageProblem | null {
  const isIn = (open: string, close: string) =>
    piecesOf(html, open, close).some((piece) => piece.includes('<form') && mentions(piece, facts));
  if (isIn('<!--', '-->')) {
    return { code: 'form_commented', detail: 'The form stands in a comment of the page. Take it out of the comment.' };
  }
  if (isIn('<template', '</template>')) {
    const detail = 'The form stands in a template, which a script has to show. We see no scripts.';
    return { code: 'form_in_template', detail, isUnseen: true };
  }
  // Browsers drop the opening tag of a form within another.
  const isShown = forms.some(({ action }) => action !== null && mentions(action, facts));
  if (!isShown && piecesOf(html, '<form', '>').some((tag) => mentions(tag, facts))) {
    return {
      code: 'form_nested',
      detail: 'The form stands in another form, and browsers drop its opening tag. Move it out.',
    };
  }
  return null;
}

/** Returns the pieces of a text between marks, in any case of letters, with the first mark. */
function piecesOf(html: string, open: string, close: string) {
  const text = html.toLowerCase();
  const pieces: string[] = [];
  for (let at = text.indexOf(open); at >= 0 && pieces.length < PIECES_MAX;) {
    const end = text.indexOf(close, at + open.length);
    if (end < 0) break;
    pieces.push(text.slice(at, end));
    at = text.indexOf(open, end);
  }
  return pieces;
}
