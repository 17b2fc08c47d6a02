import type { FormSummary } from '../../forms/form-queries.service.js';
import { byteSize } from '../../platform/index.js';
import { recordLine } from '../../operations/doctor/check.js';
import type { InstanceState } from '../../operations/doctor/doctor.service.js';
import { Button, Copyable, State, Time, Empty, Notice, Table, Section } from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { FindingNotice, Mend, sentenceOf } from '../deliveries/warning.js';
import type { FindingRow } from '../../health/finding.entity.js';
import type { Told } from '../../health/health.service.js';
import { type Mailed, MailSection } from '../reports/report.page.js';

/** Words of warnings. */
const statusWords = {
  fineTitle: 'Everything works',
  failed: (checks: string[]) =>
    `${checks.length === 1 ? 'A check fails' : `${checks.length} checks fail`}: ${checks.join(', ')}.`,
  fine: 'All forms work as configured.',
  checks: 'Checks',
  states: { ok: 'OK', warning: 'Warning', failed: 'Failed' },
  accounts: 'Accounts',
  forms: 'Forms',
  submissions: 'Submissions',
  people: 'People',
  files: 'Files',
} as const;

const KIND = { ok: 'good', warning: 'warn', failed: 'bad' } as const;

/** Draws the state of the whole service, for operators. */
function Instance({ state }: { state: InstanceState }) {
  const { version, database, disk, backlog } = state;
  return (
    <Section title="Service health" hint="Visible to operators only.">
      <div class="panel">
        <dl class="body pairs">
          <div>
            <dt>Version</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>Database</dt>
            <dd>{database}</dd>
          </div>
          <div>
            <dt>Disk space</dt>
            <dd>
              {byteSize(disk.free)} of {byteSize(disk.size)} free
            </dd>
          </div>
          <div>
            <dt>Delivery queue</dt>
            <dd>
              {backlog.pending},{' '}
              {backlog.oldestDueAt ? (
                <>
                  oldest due since <Time at={backlog.oldestDueAt} />
                </>
              ) : (
                'nothing due'
              )}
            </dd>
          </div>
        </dl>
      </div>
      <Checks state={state} />
      <Accounts state={state} />
    </Section>
  );
}

function Checks({ state: { findings, checkedAt } }: { state: InstanceState }) {
  return (
    <>
      <h3>{statusWords.checks}</h3>
      <div class="panel">
        <table>
          <caption>{statusWords.checks}</caption>
          <tbody>
            {findings.map(({ name, state, detail, settings, canMend, records }) => (
              <tr>
                <th scope="row" class="check">
                  {name.charAt(0).toUpperCase() + name.slice(1)}
                </th>
                <td>
                  <State kind={KIND[state]}>{statusWords.states[state]}</State>
                </td>
                <td class="wide">
                  {detail}
                  {state !== 'ok' && settings.length > 0 && (
                    <>
                      <br />
                      <span class="hint">
                        Setting: <code>{settings.join(', ')}</code>
                      </span>
                    </>
                  )}
                  {records.length > 0 && (
                    <>
                      <br />
                      <span class="hint">DNS records to add or change:</span>
                      {records.map((record, n) => (
                        <Copyable id={`${name.toLowerCase()}-${n}`} text={recordLine(record)} />
                      ))}
                    </>
                  )}
                  {state !== 'ok' && canMend && (
                    <form method="post" action="/status/mend">
                      <Button kind="plain" icon="check">
                        Fix
                      </Button>
                    </form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <form method="post" action="/status/checks">
        <p class="hint">
          {checkedAt ? (
            <>
              Email, its DNS, address and counts checked <Time at={checkedAt} />.
            </>
          ) : (
            'Checks of email, its DNS, address and counts take a while, so they run only when you ask.'
          )}
        </p>
        <Button kind="plain" icon="refresh-cw">
          Run all checks
        </Button>
      </form>
    </>
  );
}

function Accounts({ state: { accounts, accountsInAll } }: { state: InstanceState }) {
  return (
    <>
      <h3>{statusWords.accounts}</h3>
      <Table
        caption={statusWords.accounts}
        head={[
          'Name',
          ...[statusWords.forms, statusWords.submissions, statusWords.people, statusWords.files].map((label) => ({
            number: label,
          })),
        ]}
      >
        {accounts.map(({ name, forms, submissions, people, filesBytes }) => (
          <tr>
            <th scope="row">{name.charAt(0).toUpperCase() + name.slice(1)}</th>
            <td class="number" data-label={statusWords.forms}>
              {forms}
            </td>
            <td class="number" data-label={statusWords.submissions}>
              {submissions}
            </td>
            <td class="number" data-label={statusWords.people}>
              {people}
            </td>
            <td class="number" data-label={statusWords.files}>
              {byteSize(filesBytes)}
            </td>
          </tr>
        ))}
      </Table>
      {accountsInAll > accounts.length && <p class="hint">and {accountsInAll - accounts.length} newer ones</p>}
    </>
  );
}

interface StatusPageProps {
  told: Told[];
  mayChange: boolean;
  /** The state of the whole service; null for who is no operator. */
  instance: InstanceState | null;
  /** The weekly email; null for who may not change it. */
  weekly: Mailed | null;
}

/** Draws all findings, each sentence once: first about the account, then about its forms. */
export function StatusPage({ told, mayChange, instance, weekly }: StatusPageProps) {
  const failed = instance?.findings.filter(({ state }) => state === 'failed') ?? [];
  return (
    <Page title="Health" section="status">
      {failed.length > 0 && (
        <Notice kind="warn">
          <p>{statusWords.failed(failed.map(({ name }) => name))}</p>
        </Notice>
      )}
      {told.length === 0 && instance && failed.length === 0 && (
        <Notice kind="good">
          <p>
            <strong>{statusWords.fineTitle}.</strong> {statusWords.fine}
          </p>
        </Notice>
      )}
      {told.length === 0 && !instance && (
        <Empty icon="circle-check" title={statusWords.fineTitle}>
          <p>{statusWords.fine}</p>
        </Empty>
      )}
      {bySentence(told).map(({ finding, forms }) => (
        <FindingNotice finding={finding}>
          <ul class="rows" hidden={forms.length === 0}>
            {forms.map(({ name, identifier }) => (
              <li>
                <a href={`/forms/${identifier}`} dir="auto">
                  {name}
                </a>
                <Mend {...{ code: finding.code, identifier, mayChange }} />
              </li>
            ))}
          </ul>
        </FindingNotice>
      ))}
      {weekly && (
        <MailSection
          {...weekly}
          id="weekly"
          heading="Weekly email"
          here="/status/weekly-mail"
          name="weekly_mail.recipients"
          hint="Up to 10 email addresses, separated by commas. Sent on Mondays at 6:00 UTC: a summary of forms that need attention. Leave it empty to send none."
          send="Send weekly email now"
        />
      )}
      {instance && <Instance state={instance} />}
    </Page>
  );
}

/** Returns each finding once, with the forms that the same sentence is about. */
function bySentence(told: readonly Told[]) {
  const groups = new Map<string, { finding: FindingRow; forms: FormSummary[] }>();
  for (const { finding, form } of told) {
    const group = groups.get(sentenceOf(finding)) ?? { finding, forms: [] };
    groups.set(sentenceOf(finding), group);
    if (form) group.forms.push(form);
  }
  return [...groups.values()];
}
