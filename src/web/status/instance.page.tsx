import { byteSize } from '../../platform/kernel/byte-size.js';
import { recordLine } from '../../operations/doctor/check.js';
import type { InstanceState } from '../../operations/doctor/instance.service.js';
import { Button } from '../parts/controls.js';
import { Copyable, State } from '../parts/content.js';
import { Time } from '../parts/time.js';
import { words } from '../words.js';

const { status } = words;
const KIND = { ok: 'good', warning: 'warn', failed: 'bad' } as const;

/** Draws the state of the whole service, for operators. */
export function Instance({ state }: { state: InstanceState }) {
  const { version, database, disk, backlog } = state;
  return (
    <section>
      <h2>{status.instance}</h2>
      <p class="hint">{status.instanceHint}</p>
      <div class="panel">
        <dl class="body pairs">
          <div>
            <dt>{status.version}</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>{status.database}</dt>
            <dd>{database}</dd>
          </div>
          <div>
            <dt>{status.disk}</dt>
            <dd>{status.free(byteSize(disk.free), byteSize(disk.size))}</dd>
          </div>
          <div>
            <dt>{status.backlog}</dt>
            <dd>
              {backlog.pending},{' '}
              {backlog.oldestDueAt ? (
                <>
                  {status.oldest} <Time at={backlog.oldestDueAt} />
                </>
              ) : (
                status.nothingDue
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
      <h3>{status.checks}</h3>
      <div class="panel">
        <table>
          <caption>{status.checks}</caption>
          <tbody>
            {findings.map(({ name, state, detail, settings, canMend, records }) => (
              <tr>
                <th scope="row" class="check">
                  {name.charAt(0).toUpperCase() + name.slice(1)}
                </th>
                <td>
                  <State kind={KIND[state]}>{status.states[state]}</State>
                </td>
                <td class="wide">
                  {detail}
                  {state !== 'ok' && settings.length > 0 && (
                    <>
                      <br />
                      <span class="hint">
                        {status.setting}: <code>{settings.join(', ')}</code>
                      </span>
                    </>
                  )}
                  {records.length > 0 && (
                    <>
                      <br />
                      <span class="hint">{status.records}:</span>
                      {records.map((record, n) => (
                        <Copyable id={`${name.toLowerCase()}-${n}`} text={recordLine(record)} />
                      ))}
                    </>
                  )}
                  {state !== 'ok' && canMend && (
                    <form method="post" action="/status/mend">
                      <Button kind="plain" icon="check">
                        {status.mendNow}
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
              {status.checked} <Time at={checkedAt} />.
            </>
          ) : (
            status.notChecked
          )}
        </p>
        <Button kind="plain" icon="refresh-cw">
          {status.checkNow}
        </Button>
      </form>
    </>
  );
}

function Accounts({ state: { accounts, accountsInAll } }: { state: InstanceState }) {
  return (
    <>
      <h3>{status.accounts}</h3>
      <div class="panel">
        <table>
          <caption>{status.accounts}</caption>
          <thead>
            <tr>
              <th scope="col">{status.name}</th>
              {[status.forms, status.submissions, status.people, status.files].map((label) => (
                <th scope="col" class="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ name, forms, submissions, people, filesBytes }) => (
              <tr>
                <th scope="row">{name.charAt(0).toUpperCase() + name.slice(1)}</th>
                <td class="number" data-label={status.forms}>
                  {forms}
                </td>
                <td class="number" data-label={status.submissions}>
                  {submissions}
                </td>
                <td class="number" data-label={status.people}>
                  {people}
                </td>
                <td class="number" data-label={status.files}>
                  {byteSize(filesBytes)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {accountsInAll > accounts.length && (
        <p class="hint">{status.accountsMore(accountsInAll - accounts.length)}</p>
      )}
    </>
  );
}
