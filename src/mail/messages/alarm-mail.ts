import type { Form } from '../../forms/model/form.entity.js';
import { button, facts, paragraph, type Block } from '../parts/blocks.js';
import { notice } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import type { SentBy } from '../parts/sent-by.js';
import { headerText } from '../parts/template.js';
import { timeText, withTimes } from '../parts/time-text.js';

/** A warning of a form, as a mail tells of it. */
export interface AlarmTold {
  formId: number;
  name: string;
  identifier: string;
  /** Code of the warning, and its sentence. */
  code: string;
  message: string;
  /** Whether it is over. */
  isOver: boolean;
  /** When the last submission came, in ISO 8601, and the page it came from; absent where that is not what matters. */
  lastAt?: string;
  page?: string;
}

/** All that a mail tells, and the forms that it is about. */
export interface AlarmsTold {
  told: readonly AlarmTold[];
  forms: readonly Form[];
}

/** Most warnings that a mail lists. */
const LISTED_MAX = 50;

/** Subjects by the code of the warning. */
const BEGUN: Record<string, ((name: string) => string) | undefined> = {
  form_silent: (name) => `${name} has fallen silent`,
  never_connected: (name) => `${name} has not received anything yet`,
  visitors_refused: (name) => `${name} refuses its visitors`,
  verdicts_changed: (name) => `${name}: nearly everything is judged spam`,
  spam_rising: (name) => `${name} gets much more spam`,
  page_broken: (name) => `The page of ${name} is broken`,
  canary_failing: (name) => `A test submission to ${name} fails`,
  webhook_failing: (name) => `The webhook of ${name} fails`,
  destination_failing: (name) => `A destination of ${name} fails`,
  secret_unreadable: (name) => `Secrets of ${name} cannot be read`,
  owner_email_failing: (name) => `Emails about ${name} are not delivered`,
  submitter_email_failing: (name) => `Emails to visitors of ${name} are not delivered`,
  opt_in_failing: (name) => `Emails to visitors of ${name} are not delivered`,
  recipient_bounces: (name) => `Emails about ${name} come back`,
};
const OVER: Record<string, ((name: string) => string) | undefined> = {
  form_silent: (name) => `${name} is alive again`,
  never_connected: (name) => `${name} has received its first submission`,
};
/** Things to check when a form has fallen silent. */
const CHECKS =
  'What usually is the cause: the page lost its form or the address in it, a script on the page stops the form from being sent, or the site itself is down. Open the page and send the form once; what arrives shows that all is well again.';

/** Writes the mail that tells an owner what is unusual about forms, or that it is over. */
export function alarmMail(told: readonly AlarmTold[], by: SentBy, to: string): Message {
  const { baseUrl, from } = by;
  const [first] = told;
  const isOne = told.length === 1 && first !== undefined;
  const blocks = isOne ? ofOne(first, baseUrl) : ofSeveral(told, baseUrl);
  const content = {
    subject: isOne ? subjectOf(first) : subjectOfSeveral(told),
    sender: by.name,
    blocks,
    footer: [
      paragraph(
        'You are receiving this because you look after these forms. How soon we tell you, or never, is set on the page of each form under "Watch".',
      ),
    ],
  };
  return notice(from, to, content);
}

function ofOne(told: AlarmTold, baseUrl: string): Block[] {
  const { name, identifier, message, isOver, lastAt, page, code } = told;
  const rows = [{ label: 'Form', text: name }];
  if (lastAt) rows.push({ label: 'Last submission', text: timeText(new Date(lastAt)) });
  if (page) rows.push({ label: 'It came from', text: page });
  return [
    paragraph(isOver ? `This is over: ${firstSentence(withTimes(message))}` : withTimes(message)),
    facts(rows),
    ...(code === 'form_silent' && !isOver ? [paragraph(CHECKS)] : []),
    button('Open the watch', watchAddress(baseUrl, identifier)),
  ];
}

function ofSeveral(all: readonly AlarmTold[], baseUrl: string): Block[] {
  const more = all.length - LISTED_MAX;
  const rows = all.slice(0, LISTED_MAX).map((told) => ({
    label: told.name,
    text: `${subjectOf(told)}. ${told.isOver ? '' : withTimes(told.message)}`.trim(),
    more: { label: 'Open the watch', href: watchAddress(baseUrl, told.identifier) },
  }));
  return [
    facts(rows),
    ...(more > 0 ? [paragraph(`… and ${more} more.`)] : []),
    button('Open forms', `${baseUrl}/forms`),
  ];
}

function subjectOf({ name, code, isOver }: AlarmTold): string {
  const quoted = `"${headerText(name)}"`;
  if (isOver) return OVER[code]?.(quoted) ?? `${quoted} is well again`;
  return BEGUN[code]?.(quoted) ?? `${quoted} needs a look`;
}

function subjectOfSeveral(told: readonly AlarmTold[]): string {
  const names = (some: readonly AlarmTold[]) =>
    new Set(some.map(({ identifier }) => identifier)).size;
  const begun = names(told.filter(({ isOver }) => !isOver));
  const forms = (count: number) => (count === 1 ? 'A form' : `${count} forms`);
  if (begun > 0) return `${forms(begun)} ${begun === 1 ? 'needs' : 'need'} a look`;
  const over = names(told);
  return `${forms(over)} ${over === 1 ? 'is' : 'are'} well again`;
}

function firstSentence(text: string): string {
  return text.replace(/(?<=\.) .*$/s, '');
}

function watchAddress(baseUrl: string, identifier: string): string {
  return `${baseUrl}/forms/${identifier}/watch`;
}
