import type { Condition, Matching } from '../../destinations/model/condition.js';
import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import type { Frame } from '../layout/shell.js';
import { Empty, State } from '../parts/content.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';
import { words } from '../words.js';
import { Around, type HomeShown } from './around.js';

const { destinations: said } = words;

/** A destination as the list shows it. */
export interface DestinationRow {
  href: string;
  name: string;
  kind: KindName;
  of: keyof typeof said.of;
  match: Matching;
  conditions: readonly Condition[];
  state: keyof typeof said.states;
  /** Address that moves it up; null for the first, and for one of another list. */
  upAt: string | null;
  /** Leaves it out of the form, or takes it in again; null for what the form has itself. */
  exclusion: { at: string; isExcluded: boolean } | null;
}

export interface DestinationsPageProps {
  frame: Frame;
  home: HomeShown;
  rows: DestinationRow[];
  /** Whether the reader sees what is set for all forms. */
  seesAll: boolean;
}

const TONES = {
  on: 'good',
  excluded: 'quiet',
  paused: 'quiet',
  gave_up: 'bad',
  failing: 'bad',
} as const;

/** Draws where the submissions of a form go, or of all forms. */
export function DestinationsPage({ frame, home, rows, seesAll }: DestinationsPageProps) {
  const { form, client, newAt } = home;
  const lead = form ? said.lead : client ? said.leadOfClient : said.leadOfAccount;
  return (
    <Around {...{ frame, home, title: null }}>
      {rows.length > 0 && <p>{lead}</p>}
      <div class="sections">
        <section>
          {rows.length === 0 ? (
            <Empty icon="send" title={said.emptyTitle}>
              <p>{lead}</p>
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
                href={`${newAt}${newAt.includes('?') ? '&' : '?'}kind=${kind}`}
                icon="plus"
              >
                {said.kinds[kind].label}
              </LinkButton>
            ))}
          </div>
          {form && seesAll && (
            <p>
              <a href="/destinations">{said.openAll}</a>
            </p>
          )}
        </section>
      </div>
    </Around>
  );
}

function Row(row: DestinationRow) {
  const { href, name, kind, of, match, conditions, state, upAt, exclusion } = row;
  return (
    <tr>
      <th scope="row">
        <a class="row" href={href}>
          <bdi>{name}</bdi>
        </a>
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
        {exclusion && (
          <ActionForm action={exclusion.at}>
            <Button kind="plain">{exclusion.isExcluded ? said.include : said.exclude}</Button>
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
