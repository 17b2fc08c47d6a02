import { byteSize } from '../../platform/kernel/byte-size.js';
import { recordLine } from '../../operations/doctor/check.js';
import type { InstanceState } from '../../operations/doctor/instance.service.js';
import { Button } from '../parts/controls.js';
import { Copyable, State } from '../parts/content.js';
import { Time } from '../parts/time.js';
import { statusWords } from './words.js';
const KIND = { ok: 'good', warning: 'warn', failed: 'bad' } as const;

/** Draws the state of the whole service, for operators. */
export function Instance({ state }: { state: InstanceState }) {
  const { version, database, disk, backlog } = state;
  return (
    <section>
      <h2>{statusWords.instance}</h2>
      <p class="hint">{statusWords.instanceHint}</p>
      <div class="panel">
        <dl class="body pairs">
          <div>
            <dt>{statusWords.version}</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>{statusWords.database}</dt>
            <dd>{database}</dd>
          </div>
          <div>
            <dt>{statusWords.disk}</dt>
            <dd>{statusWords.free(byteSize(disk.free), byteSize(disk.size))}</dd>
          </div>
          <div>
            <dt>{statusWords.backlog}</dt>
            <dd>
              {backlog.pending},{' '}
              {backlog.oldestDueAt ? (
                <>
                  {statusWords.oldest} <Time at={backlog.oldestDueAt} />
                </>
              ) : (
                statusWords.nothingDue
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
                        {statusWords.setting}: <code>{settings.join(', ')}</code>
                      </span>
                    </>
                  )}
                  {records.length > 0 && (
                    <>
                      <br />
                      <span class="hint">{statusWords.records}:</span>
                      {records.map((record, n) => (
                        <Copyable id={`${name.toLowerCase()}-${n}`} text={recordLine(record)} />
                      ))}
                    </>
                  )}
                  {state !== 'ok' && canMend && (
                    <form method="post" action="/status/mend">
                      <Button kind="plain" icon="check">
                        {statusWords.mendNow}
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
              {statusWords.checked} <Time at={checkedAt} />.
            </>
          ) : (
            statusWords.notChecked
          )}
        </p>
        <Button kind="plain" icon="refresh-cw">
          {statusWords.checkNow}
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
        <table>
          <caption>{statusWords.accounts}</caption>
          <thead>
            <tr>
              <th scope="col">{statusWords.name}</th>
              {[
                statusWords.forms,
                statusWords.submissions,
                statusWords.people,
                statusWords.files,
              ].map((label) => (
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
          </tbody>
        </table>
      </div>
      {accountsInAll > accounts.length && (
        <p class="hint">{statusWords.accountsMore(accountsInAll - accounts.length)}</p>
      )}
    </>
  );
}
