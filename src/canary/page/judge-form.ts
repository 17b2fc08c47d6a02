import { attributeOf } from '../../platform/html/elements.js';
import { letsFormsSend } from './content-policy.js';
import { targetOf } from './form-address.js';
import { honeypotProblems, proofProblems } from './judge-proofs.js';
import type { PageFacts, PageHeaders, PageProblem } from './page-facts.js';
import { addressIn, type Control, type FormOfPage, type Page } from './read-page.js';

/** Controls that visitors fill in, by their type. */
const FILLED =
  /^(?:text|email|tel|url|number|date|time|datetime-local|month|week|select|textarea|file|radio|checkbox)$/;
/** Those that are no help to a page when nothing is sent of them. */
const CERTAINLY_SENT = /^(?:email|tel|textarea|file)$/;
const SUBMITS = /^(?:submit|image)$/;

/** Judges a form that is sent to us. @param isScripted tells whether a script of the page names a field */
export function judgeForm(
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

function addressProblems(
  { action }: FormOfPage,
  page: Page,
  { policies }: PageHeaders,
): PageProblem[] {
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

function methodProblems({ element, controls }: FormOfPage): PageProblem[] {
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
  const unnamed = filled.filter(
    ({ name, type }) => name === '' && (CERTAINLY_SENT.test(type) || gone.length > 0),
  );
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
  const so = isRefused
    ? 'the rules of the form refuse what comes without them'
    : 'earlier submissions had them';
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
      : [
          {
            code: 'submit_missing',
            detail: 'The form has no button that sends it. Add one of type submit.',
          },
        ];
  }
  const sending = buttons.filter(({ isDisabled }) => !isDisabled);
  if (sending.length === 0) {
    const detail =
      'The button that sends the form is disabled. We cannot see whether a script enables it.';
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

function namesOf(controls: readonly Control[]): Set<string> {
  return new Set(controls.map(({ name }) => name));
}

/** Returns names as a sentence has them, the first ten of them. */
function listed(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 10), names.length - 10];
  return `${shown.map((name) => `“${name}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
