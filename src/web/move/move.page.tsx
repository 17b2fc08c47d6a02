import { hostsOf } from '../../aliases/old-address.js';
import { PROVIDERS } from '../../aliases/provider.js';
import type { Moved, MovedForm } from '../../moves/moves.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Shell } from '../layout/shell.js';
import { ActionForm, Actions, Button, Field, Select } from '../parts/controls.js';
import { Copyable, Notice, PageHead, State } from '../parts/content.js';
import { formHeadWords } from '../form-head/words.js';
import { moveWords } from './words.js';
import { AliasTable, PROVIDER_OPTIONS, type AliasRow } from './aliases.page.js';

export interface MovePageProps {
  /** The address that takes the place of old hosts. */
  baseUrl: string;
  typed: { content: string; provider: string; project: string };
  problems: FieldProblem[];
  /** The forms that were found or made; null before. */
  moved: Moved | null;
  isMade: boolean;
  rows: AliasRow[];
}

/** Draws the way here from another provider, step by step. */
export function MovePage(props: MovePageProps) {
  const { baseUrl, rows } = props;
  return (
    <Shell title={moveWords.title} section="forms">
      <PageHead title={moveWords.title} up={{ href: '/forms', label: formHeadWords.list }} />
      <p>{moveWords.lead}</p>
      <section>
        <h2>{moveWords.steps.forms}</h2>
        {props.isMade && props.moved ? <Made {...props.moved} /> : <Ask {...props} />}
      </section>
      <section>
        <h2>{moveWords.steps.submissions}</h2>
        <p>{moveWords.submissionsHint}</p>
      </section>
      <section>
        <h2>{moveWords.steps.host}</h2>
        <p>{moveWords.hostHint(baseUrl)}</p>
        <Hosts baseUrl={baseUrl} />
      </section>
      <section>
        <h2>{moveWords.steps.live}</h2>
        <p>{moveWords.live.hint}</p>
        <AliasTable rows={rows} />
      </section>
    </Shell>
  );
}

function Ask({ typed, problems, moved }: MovePageProps) {
  const options = [{ value: '', label: moveWords.any }, ...PROVIDER_OPTIONS];
  return (
    <ActionForm action="/move" problems={problems}>
      <Field
        name="move.content"
        label={moveWords.content}
        hint={moveWords.contentHint}
        value={typed.content}
        problems={problems}
        rows={10}
        required
      />
      <Select
        name="move.provider"
        label={moveWords.provider}
        value={typed.provider}
        options={options}
      />
      <Field
        name="move.project"
        label={moveWords.project}
        hint={moveWords.projectHint}
        value={typed.project}
        problems={problems}
        autocomplete="off"
      />
      {moved && (
        <>
          <h3>{moveWords.found(moved.forms.length)}</h3>
          <Forms forms={moved.forms} isMade={false} />
          {moved.forms.some(({ plan }) => plan.rules.length > 0) && (
            <p class="hint">{moveWords.rulesHint}</p>
          )}
        </>
      )}
      <Actions>
        {moved && (
          <Button name="make" value="true">
            {moveWords.make(moved.forms.length)}
          </Button>
        )}
        <Button kind={moved ? 'plain' : 'primary'}>{moveWords.look}</Button>
      </Actions>
    </ActionForm>
  );
}

function Made({ forms, page }: Moved) {
  return (
    <>
      <Notice kind="good">
        <p>{moveWords.made}</p>
      </Notice>
      <Forms forms={forms} isMade />
      {page !== null && (
        <>
          <h3>{moveWords.page}</h3>
          <p class="hint">{moveWords.pageHint}</p>
          <Copyable id="moved-page" text={page} />
        </>
      )}
    </>
  );
}

function Forms({ forms, isMade }: { forms: MovedForm[]; isMade: boolean }) {
  const { table, providers } = moveWords;
  return (
    <div class="panel">
      <table>
        <caption>{table.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{table.name}</th>
            <th scope="col">{table.old}</th>
            <th scope="col">{table.fields}</th>
            <th scope="col">{table.state}</th>
          </tr>
        </thead>
        <tbody>
          {forms.map((form) => {
            const { plan, identifier } = form;
            return (
              <tr>
                <th scope="row">
                  {identifier ? <a href={`/forms/${identifier}`}>{plan.name}</a> : plan.name}
                </th>
                <td data-label={table.old}>
                  {plan.old && <code>{plan.old.value}</code>}{' '}
                  {plan.provider && <span class="hint">{providers[plan.provider]}</span>}
                </td>
                <td class="quiet" data-label={table.fields}>
                  {plan.labels.map(({ label }) => label).join(', ')}
                </td>
                <td data-label={table.state}>
                  <FormState form={form} isMade={isMade} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function FormState({ form, isMade }: { form: MovedForm; isMade: boolean }) {
  const { plan, wasHere, isReached } = form;
  if (plan.old && !isReached) return <State kind="warn">{moveWords.notReached}</State>;
  if (wasHere) return <State kind="quiet">{moveWords.isHere}</State>;
  return (
    <State kind={isMade ? 'good' : 'quiet'}>{isMade ? moveWords.wasMade : moveWords.isNew}</State>
  );
}

function Hosts({ baseUrl }: { baseUrl: string }) {
  const { hosts, providers } = moveWords;
  const known = PROVIDERS.flatMap((provider) => {
    const [old] = hostsOf(provider);
    return old === undefined ? [] : [{ provider, old }];
  });
  return (
    <div class="panel">
      <table>
        <caption>{moveWords.steps.host}</caption>
        <thead>
          <tr>
            <th scope="col">{hosts.provider}</th>
            <th scope="col">{hosts.old}</th>
            <th scope="col">{hosts.next}</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ provider, old }) => (
            <tr>
              <th scope="row">{providers[provider]}</th>
              <td data-label={hosts.old}>
                <code>https://{old}</code>
              </td>
              <td data-label={hosts.next}>
                <code>{baseUrl}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
