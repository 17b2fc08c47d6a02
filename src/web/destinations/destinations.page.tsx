import type { Condition, Matching } from '../../destinations/model/condition.js';
import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import { FormHead, type FormShown } from '../form-head/form-head.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Empty, State } from '../parts/content.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';
import { words } from '../words.js';

const { destinations: said } = words;

/** A destination as the list shows it. */
export interface DestinationRow {
  /** Null for one that is not changed here. */
  href: string | null;
  name: string;
  kind: KindName;
  of: keyof typeof said.of;
  match: Matching;
  conditions: readonly Condition[];
  state: keyof typeof said.states;
  /** Address that moves it up; null for the first, and for one that is not changed here. */
  upAt: string | null;
}

export interface DestinationsPageProps {
  frame: Frame;
  form: FormShown;
  rows: DestinationRow[];
}

const TONES = { on: 'good', paused: 'quiet', gave_up: 'bad', failing: 'bad' } as const;

/** Draws where the submissions of a form go. */
export function DestinationsPage({ frame, form, rows }: DestinationsPageProps) {
  return (
    <Shell title={`${said.title} · ${form.name}`} frame={frame} section="forms">
      <FormHead form={form} tab="notifications" part="destinations" />
      <p>{said.lead}</p>
      <div class="sections">
        <section>
          {rows.length === 0 ? (
            <Empty icon="send" title={said.emptyTitle}>
              <p>{said.lead}</p>
            </Empty>
          ) : (
            <div class="panel">
              <table class="destinations">
                <caption>{said.title}</caption>
                <thead>
                  <tr>
                    <th scope="col">{said.columns.name}</th>
                    <th scope="col">{said.columns.kind}</th>
                    <th scope="col">{said.columns.when}</th>
                    <th scope="col">{said.columns.state}</th>
                    <th scope="col">{said.columns.order}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <Row {...row} />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
        <section>
          <h2>{said.add}</h2>
          <div class="actions">
            {KIND_NAMES.map((kind) => (
              <LinkButton
                href={`/forms/${form.identifier}/new-destination?kind=${kind}`}
                icon="plus"
              >
                {said.kinds[kind].label}
              </LinkButton>
            ))}
          </div>
        </section>
      </div>
    </Shell>
  );
}

function Row({ href, name, kind, of, match, conditions, state, upAt }: DestinationRow) {
  return (
    <tr>
      <th scope="row">
        {href === null ? (
          <bdi>{name}</bdi>
        ) : (
          <a class="row" href={href}>
            <bdi>{name}</bdi>
          </a>
        )}
        {of !== 'form' && <div class="hint">{said.of[of]}</div>}
      </th>
      <td>{said.kinds[kind].label}</td>
      <td>
        {conditions.length === 0
          ? said.everything
          : conditions.map(sentenceOf).join(said.joined[match])}
      </td>
      <td>
        <State kind={TONES[state]}>{said.states[state]}</State>
      </td>
      <td>
        {upAt !== null && (
          <ActionForm action={upAt}>
            <Button kind="plain">{said.up}</Button>
          </ActionForm>
        )}
      </td>
    </tr>
  );
}

/** Says a condition in words. */
function sentenceOf({ field, fact, op, value }: Condition): string {
  const what = fact === null ? (field ?? '') : said.facts[fact].toLowerCase();
  return `${what} ${said.ops[op]} “${value}”`;
}
