import { addMonths, nameOf } from '../../reports/month.js';
import type { ClientReport } from '../../reports/reports.service.js';
import type { Sums } from '../../statistics/counts/sums.js';
import { workText, type Work } from '../../triage/marks/work.js';
import { PageHead } from '../parts/content.js';
import { Icon } from '../parts/icon.js';
import { Shell, type Frame } from '../layout/shell.js';
import { MailSection, type MailSectionProps } from './mail-section.js';
import { words } from '../words.js';

const { report: said } = words;

export interface ReportPageProps {
  frame: Frame;
  report: ClientReport;
  /** The last month that there can be: the one that is not over yet. */
  now: string;
  /** The page above this one. */
  up: { href: string; label: string };
  section: 'clients' | 'forms';
  /** Recipients by mail; null for who may not change them. */
  mail: Omit<MailSectionProps, 'clientId' | 'month'> | null;
}

/** Draws what the forms of a client received in a month, as it is printed too. */
export function ReportPage({ frame, report, now, up, section, mail }: ReportPageProps) {
  const { client, month, forms, totals, before } = report;
  const work = forms.map((form) => form.work);
  return (
    <Shell title={said.title(client.name)} frame={frame} section={section}>
      <PageHead title={said.title(client.name)} up={up} />
      <h2>{nameOf(month)}</h2>
      <Months id={client.id} month={month} now={now} />
      {forms.length === 0 ? (
        <p>{said.empty}</p>
      ) : (
        <>
          <dl class="figures">
            {FIGURES.map(({ label, valueOf }) => (
              <div>
                <dt>{label}</dt>
                <dd>{shown(valueOf(totals))}</dd>
                <dd class="hint">{said.before(shown(valueOf(before)))}</dd>
              </div>
            ))}
            {WORK.map((kind) => (
              <div>
                <dt>{said.work[kind]}</dt>
                <dd>{workText(kind, work)}</dd>
              </div>
            ))}
          </dl>
          <Forms {...report} />
        </>
      )}
      <p class="hint unprinted">{said.hint}</p>
      {mail && <MailSection {...mail} clientId={client.id} month={month} />}
    </Shell>
  );
}

function Months({ id, month, now }: { id: number; month: string; now: string }) {
  const at = (other: string) => `/clients/${id}/report?month=${other}`;
  return (
    <nav class="pages" aria-label={said.months}>
      <a href={at(addMonths(month, -1))} rel="prev">
        <Icon name="chevron-left" /> {said.earlier}
      </a>
      {month < now && (
        <a href={at(addMonths(month, 1))} rel="next">
          {said.later} <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}

function Forms({ forms, totals, before }: ClientReport) {
  return (
    <div class="panel">
      <table>
        <caption>{words.form.list}</caption>
        <thead>
          <tr>
            <th scope="col">{said.form}</th>
            {COLUMNS.map(({ label }) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
            {WORK.map((kind) => (
              <th scope="col" class="number">
                {said.work[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
              <th scope="row">{said.total}</th>
              <Cells sums={totals} before={before} work={forms.map(({ work }) => work)} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
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
        <td class="number" data-label={said.work[kind]}>
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
  { label: said.figures.submissions, valueOf: submissions },
  { label: said.figures.spam, valueOf: spam },
  { label: said.figures.delivered, valueOf: delivered },
  { label: said.figures.failed, valueOf: failed },
];

const COLUMNS: { label: string; valueOf: (sums: Sums) => number; isBefore?: boolean }[] = [
  { label: said.figures.submissions, valueOf: submissions },
  { label: said.beforeColumn, valueOf: submissions, isBefore: true },
  { label: said.spam, valueOf: spam },
  { label: said.delivered, valueOf: delivered },
  { label: said.failed, valueOf: failed },
];

function shown(count: number): string {
  return count.toLocaleString('en');
}
