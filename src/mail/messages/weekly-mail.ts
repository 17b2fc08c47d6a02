import { button, facts, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { withTimes } from '../parts/time-text.js';
import { sendAs, type SentBy } from '../parts/sent-by.js';

/** Forms that a mail lists, and that its subject names. */
const FORMS_LISTED = 20;
const FORMS_NAMED = 3;

/** Content of the weekly mail about the forms of an account. */
interface WeeklyMailContent {
  forms: number;
  isCut: boolean;
  troubled: { name: string; identifier: string; reasons: string[] }[];
  submissions: number;
  before: number;
}

/**
 * Writes the mail that says whether all forms of an account are well.
 * @param end path that ends these mails without signing in
 */
export function weeklyMail(
  content: WeeklyMailContent,
  end: string,
  by: SentBy,
  to: string,
): Message {
  const { troubled, submissions, before } = content;
  const more = troubled.length - FORMS_LISTED;
  const rows = troubled.slice(0, FORMS_LISTED).flatMap(({ name, identifier, reasons }) =>
    reasons.map((text, at) => ({
      ...{ label: at === 0 ? name : '', text: withTimes(text) },
      href: `${by.baseUrl}/forms/${identifier}`,
    })),
  );
  return sendAs(by, {
    from: by.from,
    to,
    replyTo: null,
    unsubscribe: by.baseUrl + end,
    ...writeMail({
      subject: subjectOf(content),
      sender: by.name,
      blocks: [
        ...(rows.length === 0 ? [] : [facts(rows)]),
        ...(more > 0 ? [paragraph(`… and ${shown(more)} more`)] : []),
        paragraph(
          `Submissions last week: ${shown(submissions)} (${shown(before)} the week before)`,
        ),
        button('Open status', `${by.baseUrl}/status`),
      ],
      footer: [
        paragraph(
          'You are receiving this because you were added to the weekly email about these forms.',
        ),
        button('Stop these emails', by.baseUrl + end),
      ],
    }),
    automatic: 'auto-generated',
  });
}

/** Says all that there is to say where all is well. */
function subjectOf({ forms, troubled, isCut }: WeeklyMailContent): string {
  if (forms === 0) return 'You have no forms yet';
  if (troubled.length === 0)
    return forms === 1
      ? 'Your form is well'
      : `${isCut ? 'The first' : 'All'} ${shown(forms)} forms are well`;
  const names = troubled.slice(0, FORMS_NAMED).map(({ name }) => name);
  const more = troubled.length - names.length;
  const list = [...names, ...(more > 0 ? [`and ${shown(more)} more`] : [])].join(', ');
  const verb = troubled.length === 1 ? 'needs' : 'need';
  return `${shown(troubled.length)} of ${shown(forms)} ${forms === 1 ? 'form' : 'forms'} ${verb} a look: ${list}`;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
