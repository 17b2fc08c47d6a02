import type { Sums } from '../../statistics/sums.js';
import { workText, type Work } from '../../triage/marks/work.js';
import { button, facts, paragraph, noticeBy } from '../parts/layout.js';
import { type Message, type SentBy, withTimes } from '../parts/message.js';

/** Forms that a mail lists; the page has the others. */
const FORMS_LISTED = 20;

/** Sums of a month, and of the one before. */
interface Compared {
  sums: Sums;
  before: Sums;
}

/** Content of the monthly report of a client. */
interface ReportMailContent extends Compared {
  clientName: string;
  /** Its name, such as `January 2030`. */
  month: string;
  forms: (Compared & { name: string; work: Work })[];
}

/**
 * Writes the mail that reports a month of a client.
 * @param links.report path of the page
 * @param links.end path that ends these mails without signing in
 */
export function reportMail(
  { clientName, month, sums, before, forms }: ReportMailContent,
  links: { report: string; end: string },
  by: SentBy,
  to: string,
): Message {
  const end = by.baseUrl + links.end;
  const more = forms.length - FORMS_LISTED;
  const work = forms.map((form) => form.work);
  const rows = forms
    .slice(0, FORMS_LISTED)
    .map((form) => ({
      label: form.name,
      text: compared(form.sums.submissions, form.before.submissions),
      ...noteOf(form.work),
    }));
  return {
    ...noticeBy(by, to, {
      subject: `Report for ${clientName}: ${month}`,
      sender: by.name,
      blocks: [
        facts([
          ...FIGURES.map(({ label, valueOf }) => ({ label, text: compared(valueOf(sums), valueOf(before)) })),
          ...WORK.map((kind) => ({ label: WORDS[kind], text: workText(kind, work) })),
        ]),
        ...(rows.length === 0 ? [] : [paragraph('Submissions by form:'), facts(rows)]),
        ...(more > 0 ? [paragraph(`… and ${shown(more)} more`)] : []),
        button('Open report', by.baseUrl + links.report),
      ],
      footer: [
        paragraph(`You are receiving this because you were added to the monthly report for ${clientName}.`),
        button('Stop these reports', end),
      ],
    }),
    unsubscribe: end,
  };
}

const FIGURES: { label: string; valueOf: (sums: Sums) => number }[] = [
  { label: 'Submissions', valueOf: ({ submissions }) => submissions },
  { label: 'Spam kept away', valueOf: ({ spam }) => spam },
  {
    label: 'Emails and webhook calls delivered',
    valueOf: ({ mailsDelivered, mailsLate, callsDelivered, callsLate }) =>
      mailsDelivered + mailsLate + callsDelivered + callsLate,
  },
  { label: 'Emails and webhook calls failed', valueOf: ({ mailsFailed, callsFailed }) => mailsFailed + callsFailed },
];

const WORDS = { answered: 'Answered', done: 'Done', starred: 'Starred' } as const;
const WORK = ['answered', 'done', 'starred'] as const;

/** Returns what people did with the submissions of a form, where they did something. */
function noteOf(work: Work): { note?: string } {
  const parts = WORK.filter((kind) => work[kind] > 0).map(
    (kind) => `${workText(kind, [work])} ${WORDS[kind].toLowerCase()}`,
  );
  return parts.length === 0 ? {} : { note: parts.join(', ') };
}

function compared(now: number, before: number) {
  return `${shown(now)} (${shown(before)} the month before)`;
}

function shown(count: number) {
  return count.toLocaleString('en');
}

/** Forms that the subject of a mail names. */
const FORMS_NAMED = 3;

/** Content of the weekly mail about the forms of an account. */
export interface WeeklyMailContent {
  forms: number;
  /** Sentences about what concerns all forms. */
  general: string[];
  /** Forms that need a look, with sentences that say why. */
  troubled: { name: string; identifier: string; reasons: string[] }[];
  /** Submissions of the last seven days that are no spam, and of the seven before. */
  submissions: number;
  before: number;
}

/**
 * Writes the mail that says whether all forms of an account are well.
 * @param end path that ends these mails without signing in
 */
export function weeklyMail(content: WeeklyMailContent, end: string, by: SentBy, to: string): Message {
  const { general, troubled, submissions, before } = content;
  const more = troubled.length - FORMS_LISTED;
  const rows = troubled
    .slice(0, FORMS_LISTED)
    .flatMap(({ name, identifier, reasons }) =>
      reasons.map((text, at) => ({
        ...{ label: at === 0 ? name : '', text: withTimes(text) },
        href: `${by.baseUrl}/forms/${identifier}`,
      })),
    );
  return {
    ...noticeBy(by, to, {
      subject: subjectOf(content),
      sender: by.name,
      blocks: [
        ...general.map((text) => paragraph(withTimes(text))),
        ...(rows.length === 0 ? [] : [facts(rows)]),
        ...(more > 0 ? [paragraph(`… and ${shown(more)} more`)] : []),
        paragraph(`Submissions last week: ${shown(submissions)} (${shown(before)} the week before)`),
        button('Open status', `${by.baseUrl}/status`),
      ],
      footer: [
        paragraph('You are receiving this because you were added to the weekly email about these forms.'),
        button('Stop these emails', by.baseUrl + end),
      ],
    }),
    unsubscribe: by.baseUrl + end,
  };
}

/** Says all that there is to say where all is well. */
function subjectOf({ forms, troubled, general }: WeeklyMailContent) {
  if (forms === 0) return 'You have no forms yet';
  if (troubled.length === 0 && general.length > 0) return 'Your forms need attention';
  if (troubled.length === 0) return forms === 1 ? 'Your form is working' : `All ${shown(forms)} forms are working`;
  const names = troubled.slice(0, FORMS_NAMED).map(({ name }) => name);
  const more = troubled.length - names.length;
  const list = [...names, ...(more > 0 ? [`and ${shown(more)} more`] : [])].join(', ');
  const verb = troubled.length === 1 ? 'needs' : 'need';
  return `${shown(troubled.length)} of ${shown(forms)} ${forms === 1 ? 'form' : 'forms'} ${verb} attention: ${list}`;
}
