import { byteSize } from '../../platform/kernel/byte-size.js';
import { recordLine } from '../../operations/doctor/check.js';
import type { InstanceState } from '../../operations/doctor/instance.service.js';
import { Button } from '../parts/controls.js';
import { Copyable, State, Time, Empty, Notice, Table } from '../parts/content.js';
import { Page } from '../layout/shell.js';
import {
  isOfService,
  Mend,
  Sentence,
  sentenceOf,
  WarningNotice,
  type FormWarning,
} from '../deliveries/warning.js';
import { type Mailed, MailSection } from '../reports/mail-section.js';

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
  concerned: (forms: number) =>
    forms === 1 ? 'One form sends email.' : `${forms} forms send email.`,
} as const;

const KIND = { ok: 'good', warning: 'warn', failed: 'bad' } as const;

/** Draws the state of the whole service, for operators. */
function Instance({ state }: { state: InstanceState }) {
  const { version, database, disk, backlog } = state;
  return (
    <section>
      <h2>Service health</h2>
      <p class="hint">Visible to operators only.</p>
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
    </section>
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
      <div class="panel">
        <Table
          caption={statusWords.accounts}
          head={[
            'Name',
            ...[
              statusWords.forms,
              statusWords.submissions,
              statusWords.people,
              statusWords.files,
            ].map((label) => ({ number: label })),
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
      </div>
      {accountsInAll > accounts.length && (
        <p class="hint">and {accountsInAll - accounts.length} newer ones</p>
      )}
    </>
  );
}

/** A form with warnings. */
interface TroubleShown {
  name: string;
  identifier: string;
  warnings: FormWarning[];
}

interface StatusPageProps {
  troubles: TroubleShown[];
  mayChange: boolean;
  /** The state of the whole service; null for who is no operator. */
  instance: InstanceState | null;
  /** The weekly email; null for who may not change it. */
  weekly: Mailed | null;
}

/** Draws all warnings, each sentence once: first that of the whole service, then those of forms. */
export function StatusPage({ troubles, mayChange, instance, weekly }: StatusPageProps) {
  const everywhere = troubles.filter(({ warnings }) => warnings.some(isOfService));
  const failed = instance?.findings.filter(({ state }) => state === 'failed') ?? [];
  const [ofService] = everywhere.flatMap(({ warnings }) => warnings.filter(isOfService));
  return (
    <Page title="Health" section="status">
      {failed.length > 0 && (
        <Notice kind="warn">
          <p>{statusWords.failed(failed.map(({ name }) => name))}</p>
        </Notice>
      )}
      {troubles.length === 0 && instance && failed.length === 0 && (
        <Notice kind="good">
          <p>
            <strong>{statusWords.fineTitle}.</strong> {statusWords.fine}
          </p>
        </Notice>
      )}
      {troubles.length === 0 && !instance && (
        <Empty icon="circle-check" title={statusWords.fineTitle}>
          <p>{statusWords.fine}</p>
        </Empty>
      )}
      {ofService && (
        <section>
          <h2>Service</h2>
          <WarningNotice {...ofService} identifier="" mayChange={false} />
          <p class="hint">{statusWords.concerned(everywhere.length)}</p>
        </section>
      )}
      {bySentence(troubles).map(({ sentence, code, forms }) => (
        <Notice kind="warn">
          <p>
            <Sentence text={sentence} />
          </p>
          <ul class="rows">
            {forms.map(({ name, identifier }) => (
              <li>
                <a href={`/forms/${identifier}`} dir="auto">
                  {name}
                </a>
                <Mend {...{ code, identifier, mayChange }} />
              </li>
            ))}
          </ul>
        </Notice>
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

/** Returns each sentence about forms once, with the forms that it is about. */
function bySentence(troubles: TroubleShown[]) {
  const found = new Map<string, { sentence: string; code: string; forms: TroubleShown[] }>();
  for (const trouble of troubles) {
    for (const warning of trouble.warnings.filter((each) => !isOfService(each))) {
      const sentence = sentenceOf(warning);
      const group = found.get(sentence) ?? { sentence, code: warning.code, forms: [] };
      group.forms.push(trouble);
      found.set(sentence, group);
    }
  }
  return [...found.values()];
}
