import { SetVisitorMailDto } from '../../forms/dto/visitor-mail.dto.js';
import { encodeVisitorMail, type VisitorMailChoice } from '../../forms/model/visitor-mail.js';
import { checked, isTicked, textOf, type Typed } from '../parts/typed.js';

/** Names of the inputs, by the paths of the API. */
const OPT_IN = 'visitor_mail.double_opt_in';
const HTML = 'visitor_mail.html';

/** How mails to visitors are, as the inputs show it. */
export interface VisitorMailTyped {
  doubleOptIn: boolean;
  html: string;
}

export function visitorMailShown({ doubleOptIn, html }: VisitorMailChoice): VisitorMailTyped {
  return { doubleOptIn, html: html ?? '' };
}

/** Reads what the page sent; null where another page did. */
export function visitorMailTyped(sent: Typed | undefined): VisitorMailTyped | null {
  if (!sent || !(HTML in sent)) return null;
  const html = textOf(sent, HTML).replace(/\r\n?/g, '\n');
  return { doubleOptIn: isTicked(sent, OPT_IN), html };
}

/** Returns what was typed as it is stored. @throws InvalidInputError naming every field at fault */
export async function visitorMailStored({ doubleOptIn, html }: VisitorMailTyped) {
  const visitor_mail = { double_opt_in: doubleOptIn, html: html.trim() === '' ? null : html };
  const choice = SetVisitorMailDto.choice(await checked(SetVisitorMailDto, { visitor_mail }));
  return { visitorMail: encodeVisitorMail(choice) };
}
