import type { Brand } from '../brands/brands.service.js';
import { FormShut } from '../forms/model/form.errors.js';
import type { Form } from '../forms/model/form.entity.js';
import type { DomainError } from '../platform/kernel/errors.js';
import { FieldsRefused } from '../submissions/model/submission.errors.js';
import { layout, type HtmlPage } from './layout.js';
import { refusedAnswers, targetsOf, type Carried } from './refused.js';
import { Refused } from './refused.page.js';
import { Closed, NotSent } from './visitor.page.js';

/** Whose form it is, and where its visitor came from; null for what is not known. */
interface Known {
  form: Readonly<Form> | null;
  brand: Brand | null;
  from: string | null;
}

/** Draws the page that tells a visitor what went wrong. */
export function failurePage(
  error: Pick<DomainError, 'message'>,
  { form, brand, from }: Known,
  carried: Carried,
  baseUrl: string,
): HtmlPage {
  if (error instanceof FormShut) return closedPage(error, { form, brand, from });
  const title = 'Your submission was not sent';
  const colours = coloursOf(form, brand);
  if (!(error instanceof FieldsRefused)) {
    return layout(title, NotSent({ message: error.message, brand }), colours);
  }
  const refused = refusedAnswers(error, carried, new URL(baseUrl).origin);
  const targets = targetsOf(error.form, carried.target, baseUrl);
  return layout(title, Refused({ ...refused, brand, from }), colours, targets);
}

/** Draws the page that says that a form takes no submissions now. */
export function closedPage({ message }: FormShut, { form, brand, from }: Known): HtmlPage {
  const content = Closed({ message, brand, from });
  return layout('This form is closed', content, coloursOf(form, brand));
}

/** Returns the colours of a page. @param form null for a page that has none of a form */
export function coloursOf(form: Readonly<Form> | null, brand: Brand | null) {
  const { bgColor = null, textColor = null, linkColor = null } = form ?? {};
  return { bgColor, textColor, linkColor, accent: brand?.colour ?? null };
}
