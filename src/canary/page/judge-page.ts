import { attributeOf } from '../../platform/html/elements.js';
import { mentions, targetOf } from './form-address.js';
import { judgeForm } from './judge-form.js';
import type { PageFacts, PageHeaders, PageProblem } from './page-facts.js';
import { addressIn, type FormOfPage, type Page } from './read-page.js';

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
  const judged = ours
    .slice(0, JUDGED_MAX)
    .map((form) => judgeForm(form, page, headers, facts, isScripted));
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

function weightOf(problems: readonly PageProblem[]): number {
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
    return {
      code: 'page_needs_sign_in',
      detail: 'The page asks for a password. Set a page that everybody can open.',
    };
  }
  if (page.frames > 0) {
    const detail =
      'The page shows other pages in frames. We look at no frames: set the page in the frame instead.';
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
    return {
      code: 'action_mail',
      detail: `The form opens the visitor’s email program (${shown}). ${fix}`,
    };
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
    return {
      code: 'action_other_form',
      detail: `The form is sent to another form: ${shown}. ${fix}`,
    };
  }
  return { code: 'action_elsewhere', detail: `The form is sent elsewhere: ${shown}. ${fix}` };
}

/** Returns the form that has most fields of ours; null where none has any, nor is the only one that could be meant. */
function likelyForm(page: Page, { required, usual }: PageFacts): FormOfPage | null {
  const wanted = new Set([...required, ...usual]);
  const common = ({ controls }: FormOfPage) =>
    new Set(controls.flatMap(({ name }) => (wanted.has(name) ? [name] : []))).size;
  const [best, next] = page.forms
    .filter((form) => !asksForPassword(form))
    .sort((one, other) => common(other) - common(one));
  if (best && common(best) > 0) return best;
  return best && !next && isPost(best) ? best : null;
}

function isPost({ element }: FormOfPage): boolean {
  return attributeOf(element, 'method')?.trim().toLowerCase() === 'post';
}

function asksForPassword({ controls }: FormOfPage): boolean {
  return controls.some(({ type }) => type === 'password');
}

/** Finds our form in the source where browsers do not show it; null where it is not there. */
function hiddenForm({ html, forms }: Page, facts: PageFacts): PageProblem | null {
  const isIn = (open: string, close: string) =>
    piecesOf(html, open, close).some((piece) => piece.includes('<form') && mentions(piece, facts));
  if (isIn('<!--', '-->')) {
    return {
      code: 'form_commented',
      detail: 'The form stands in a comment of the page. Take it out of the comment.',
    };
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
function piecesOf(html: string, open: string, close: string): string[] {
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
