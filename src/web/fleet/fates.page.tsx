import type { Difference, FormFate } from '../../reports/fleet/fleet-change.js';
import { Carried, type Typed } from '../parts/typed.js';
import { ActionForm, Actions, Button, LinkButton } from '../parts/controls.js';
import { Fold, Notice, Table } from '../parts/content.js';
import { Page } from '../layout/shell.js';
import { fleetWords } from './words.js';
import { formHeadWords } from '../form-head/form-head.js';
import { GRANTS, settingLabel } from './change-typed.js';

const { change } = fleetWords;

/** Names of the buttons, which are not carried on. */
const BUTTONS: ReadonlySet<string> = new Set(['apply', 'edit']);

/** Settings that are lists, which commas divide. */
const LISTS: ReadonlySet<string> = new Set(['notify_owner_emails', 'whitelisted_domains']);

export interface FatesPageProps {
  fates: FormFate[];
  /** Clients that can get and lose forms. */
  clients: readonly { id: number; name: string }[];
  typed: Typed | undefined;
  /** Whether the change was made; else it would be. */
  isApplied: boolean;
}

/** Draws the differences that a change makes of several forms, or made. */
export function FatesPage({ fates, clients, typed, isApplied }: FatesPageProps) {
  const title = isApplied ? 'Result' : change.previewTitle;
  const of = (state: FormFate['state']) => fates.filter((fate) => fate.state === state);
  const [changed, unchanged, refused] = [of('changed'), of('unchanged'), of('refused')];
  const said = isApplied ? change.did : change.will;
  return (
    <Page title={title} section="forms" up={{ href: '/forms', label: formHeadWords.list }}>
      {isApplied && (
        <Notice kind={refused.length > 0 ? 'warn' : 'good'}>
          <p>
            {[
              said.changed(changed.length),
              said.unchanged(unchanged.length),
              said.refused(refused.length),
            ].join(' · ')}
          </p>
        </Notice>
      )}
      {!isApplied && changed.length === 0 && <p>No form would change.</p>}
      {changed.length > 0 && (
        <section>
          <h2>{said.changed(changed.length)}</h2>
          <Differences {...{ changed, clients }} />
        </section>
      )}
      {refused.length > 0 && (
        <section>
          <h2>{said.refused(refused.length)}</h2>
          <Refused refused={refused} />
        </section>
      )}
      {unchanged.length > 0 && (
        <Fold title={said.unchanged(unchanged.length)}>
          <ul class="names">
            {unchanged.map(({ form }) => (
              <li>
                <Name form={form} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {isApplied ? (
        <LinkButton href="/forms" kind="primary">
          {change.back}
        </LinkButton>
      ) : (
        <ActionForm action="/change-forms">
          <Carried typed={typed} but={BUTTONS} />
          <Actions>
            {changed.length > 0 && (
              <Button name="apply" value="true">
                {change.apply(changed.length)}
              </Button>
            )}
            <Button kind="plain" name="edit" value="true">
              Edit the change
            </Button>
          </Actions>
        </ActionForm>
      )}
    </Page>
  );
}

function Name({ form: { name, identifier } }: Pick<FormFate, 'form'>) {
  if (name === '') return `Unknown form ${identifier}`;
  return (
    <a dir="auto" href={`/forms/${identifier}`}>
      {name}
    </a>
  );
}

function Differences(props: { changed: FormFate[] } & Pick<FatesPageProps, 'clients'>) {
  const { changed, clients } = props;
  const nameOf = (id: number) => clients.find((client) => client.id === id)?.name ?? `#${id}`;
  return (
    <div class="panel">
      <table class="differences">
        <caption>{change.previewTitle}</caption>
        <thead>
          <tr>
            <th scope="col">{change.form}</th>
            <th scope="col">Setting</th>
            <th scope="col">{change.before}</th>
            <th scope="col">{change.after}</th>
          </tr>
        </thead>
        {changed.map(({ form, differences }) => (
          <tbody>
            {differences.map((difference, index) => (
              <tr>
                {index === 0 && (
                  <th scope="rowgroup" rowspan={differences.length}>
                    <Name form={form} />
                  </th>
                )}
                <td>{settingLabel(difference.setting)}</td>
                <td class="quiet value" data-label={change.before} dir="auto">
                  {valueOf(difference, difference.before, nameOf)}
                </td>
                <td class="value" data-label={change.after} dir="auto">
                  {valueOf(difference, difference.after, nameOf)}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Refused({ refused }: { refused: FormFate[] }) {
  return (
    <div class="panel">
      <Table caption={change.did.refused(refused.length)} head={[change.form, 'Reason']}>
        {refused.map(({ form, error }) => (
          <tr>
            <th scope="row">
              <Name form={form} />
            </th>
            <td class="wide">{error?.message}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function valueOf(
  { setting }: Difference,
  value: Difference['after'],
  nameOf: (id: number) => string,
): string {
  if (value === null) return 'Not set';
  if (GRANTS.some((name) => name === setting)) return nameOf(Number(value));
  if (typeof value === 'boolean') return value ? change.on : change.off;
  return LISTS.has(setting) ? String(value).replaceAll(',', ', ') : String(value);
}
