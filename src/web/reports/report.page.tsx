import { addMonths, nameOf } from '../../reports/week.js';
import type { ClientReport } from '../../reports/reports.service.js';
import type { Sums } from '../../statistics/sums.js';
import { workText, type Work } from '../../triage/marks/work.js';
import { Icon, Table, Notice, Section, ActionForm, Field } from '../parts/index.js';
import { statisticsWords } from '../activity/facets.js';
import { ClientShell, formHeadWords } from '../form-head/form-head.js';
import { Page } from '../layout/shell.js';
import type { FieldProblem } from '../../platform/index.js';
import type { ReportMail, SentReport } from '../../reports/report-mails.service.js';

/** Words of the monthly report of a client. */
const reportWords = {
  title: (client: string) => `Report for ${client}`,
  figures: { submissions: 'Submissions' },
  work: { answered: 'Answered', done: 'Done', starred: 'Starred' },
} as const;

export interface ReportPageProps {
  report: ClientReport;
  /** The last month that there can be: the one that is not over yet. */
  now: string;
  /** Whether the reader belongs to the account, and sees the other pages of the client. */
  isOfAccount: boolean;
  /** Recipients by mail; null for who may not change them. */
  mail: Mailed | null;
}

/** Draws what the forms of a client received in a month, as it is printed too. */
export function ReportPage({ report, now, isOfAccount, mail }: ReportPageProps) {
  const { client, month, forms, totals, before } = report;
  const work = forms.map((form) => form.work);
  const content = (
    <>
      <h2>{nameOf(month)}</h2>
      <Months id={client.id} month={month} now={now} />
      {forms.length === 0 ? (
        <p>This client sees no forms yet.</p>
      ) : (
        <>
          <dl class="figures">
            {FIGURES.map(({ label, valueOf }) => (
              <div>
                <dt>{label}</dt>
                <dd>{shown(valueOf(totals))}</dd>
                <dd class="hint">{shown(valueOf(before))} the month before</dd>
              </div>
            ))}
            {WORK.map((kind) => (
              <div>
                <dt>{reportWords.work[kind]}</dt>
                <dd>{workText(kind, work)}</dd>
              </div>
            ))}
          </dl>
          <Forms {...report} />
        </>
      )}
      <p class="hint unprinted">Days are those of UTC. Print this page to save it as a PDF.</p>
      {mail && (
        <MailSection
          {...mail}
          id="mail"
          heading="Email this report"
          here={`/clients/${client.id}/report/mail`}
          name="report_mail.recipients"
          hint="Email addresses, separated by commas, up to 10. They get the report on the first of each month from 6:00 UTC on. Leave it empty to send none."
          send={`Send report for ${nameOf(month)} now`}
          month={month}
        />
      )}
    </>
  );
  if (isOfAccount) {
    return (
      <ClientShell client={client} title={reportWords.title(client.name)} tab="report">
        {content}
      </ClientShell>
    );
  }
  const up = { href: '/statistics', label: statisticsWords.title };
  return (
    <Page title={reportWords.title(client.name)} section="forms" up={up}>
      {content}
    </Page>
  );
}

function Months({ id, month, now }: { id: number; month: string; now: string }) {
  const at = (other: string) => `/clients/${id}/report?month=${other}`;
  return (
    <nav class="pages" aria-label="Months">
      <a href={at(addMonths(month, -1))} rel="prev">
        <Icon name="chevron-left" /> Month before
      </a>
      {month < now && (
        <a href={at(addMonths(month, 1))} rel="next">
          Month after <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}

function Forms({ forms, totals, before }: ClientReport) {
  return (
    <Table
      caption={formHeadWords.list}
      head={[
        'Form',
        ...COLUMNS.map(({ label }) => ({ number: label })),
        ...WORK.map((kind) => ({ number: reportWords.work[kind] })),
      ]}
    >
      {forms.map((each) => (
        <tr>
          <th scope="row" dir="auto">
            {each.form.name}
          </th>
          <Cells sums={each.sums} before={each.before} work={[each.work]} />
        </tr>
      ))}
      {forms.length > 1 && (
        <tr>
          <th scope="row">All forms</th>
          <Cells sums={totals} before={before} work={forms.map(({ work }) => work)} />
        </tr>
      )}
    </Table>
  );
}

function Cells({ sums, before, work }: { sums: Sums; before: Sums; work: Work[] }) {
  return (
    <>
      {COLUMNS.map(({ label, valueOf, isBefore = false }) => (
        <td class={isBefore ? 'number quiet' : 'number'} data-label={label}>
          {shown(valueOf(isBefore ? before : sums))}
        </td>
      ))}
      {WORK.map((kind) => (
        <td class="number" data-label={reportWords.work[kind]}>
          {workText(kind, work)}
        </td>
      ))}
    </>
  );
}

const WORK = ['answered', 'done', 'starred'] as const;

const submissions = (sums: Sums) => sums.submissions;
const spam = (sums: Sums) => sums.spam;
const failed = (sums: Sums) => sums.mailsFailed + sums.callsFailed;
const delivered = ({ mailsDelivered, mailsLate, callsDelivered, callsLate }: Sums) =>
  mailsDelivered + mailsLate + callsDelivered + callsLate;

const FIGURES = [
  { label: reportWords.figures.submissions, valueOf: submissions },
  { label: 'Spam kept away', valueOf: spam },
  { label: 'Emails and webhook calls delivered', valueOf: delivered },
  { label: 'Emails and webhook calls failed', valueOf: failed },
];

const COLUMNS: { label: string; valueOf: (sums: Sums) => number; isBefore?: boolean }[] = [
  { label: reportWords.figures.submissions, valueOf: submissions },
  { label: 'Month before', valueOf: submissions, isBefore: true },
  { label: 'Spam', valueOf: spam },
  { label: 'Delivered', valueOf: delivered },
  { label: 'Failed', valueOf: failed },
];

function shown(count: number) {
  return count.toLocaleString('en');
}

/** Recipients of a mail of sums, and what was typed to change them. */
export interface Mailed {
  mail: ReportMail;
  /** Contents of the field. */
  typed: string;
  problems: FieldProblem[];
  /** How sending it just now ended; empty when it was not asked for. */
  sent: SentReport[];
}

interface MailSectionProps extends Mailed {
  id: string;
  heading: string;
  /** Where the form goes, and behind it what sends the mail now. */
  here: string;
  /** Name of the field. */
  name: string;
  hint: string;
  /** Text of the button that sends it now. */
  send: string;
  /** The month that the page shows. */
  month?: string;
}

/** Draws who gets a mail of sums, and a button that sends it now. */
export function MailSection({ id, here, month, mail, problems, ...shown }: MailSectionProps) {
  const { recipients, unconfirmed } = mail;
  const kept = month !== undefined && <input type="hidden" name="month" value={month} />;
  return (
    <Section id={id} class="unprinted" title={shown.heading}>
      {shown.sent.map((each) => (
        <Sent {...each} />
      ))}
      <ActionForm action={here} problems={problems} submit="Save recipients">
        {kept}
        <Field name={shown.name} label="Recipients" hint={shown.hint} value={shown.typed} autocomplete="off" />
        {unconfirmed.length > 0 && (
          <p>Not confirmed yet: {unconfirmed.join(', ')}. They get nothing until they confirm their address.</p>
        )}
      </ActionForm>
      {recipients.length > unconfirmed.length && (
        <ActionForm action={`${here}/send`} submit={shown.send} kind="plain" icon="mail">
          {kept}
        </ActionForm>
      )}
    </Section>
  );
}

/** Says how sending a mail to somebody ended. */
function Sent({ to, ended }: SentReport) {
  const isGood = ended.verdict === 'delivered';
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? `Email sent to ${to}` : `Email to ${to} was not sent`}:{' '}
      {ended.answer ?? 'The mail server did not answer.'}
    </Notice>
  );
}
