import type { Condition, Matching } from '../../destinations/model/condition.js';
import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import { Empty, State } from '../parts/content.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';
import { destinationWords } from './words.js';
import { Around, type HomeShown } from './around.js';

/** A destination as the list shows it. */
export interface DestinationRow {
  href: string;
  name: string;
  kind: KindName;
  of: keyof typeof destinationWords.of;
  match: Matching;
  conditions: readonly Condition[];
  state: keyof typeof destinationWords.states;
  /** Address that moves it up; null for the first, and for one of another list. */
  upAt: string | null;
  /** Leaves it out of the form, or takes it in again; null for what the form has itself. */
  exclusion: { at: string; isExcluded: boolean } | null;
}

export interface DestinationsPageProps {
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
export function DestinationsPage({ home, rows, seesAll }: DestinationsPageProps) {
  const { form, client, newAt } = home;
  const lead = form
    ? destinationWords.lead
    : client
      ? destinationWords.leadOfClient
      : destinationWords.leadOfAccount;
  return (
    <Around {...{ home, title: null }}>
      {rows.length > 0 && <p>{lead}</p>}
      <div class="sections">
        <section>
          {rows.length === 0 ? (
            <Empty icon="send" title={destinationWords.emptyTitle}>
              <p>{lead}</p>
            </Empty>
          ) : (
            <div class="panel">
              <table class="destinations">
                <caption>{destinationWords.title}</caption>
                <thead>
                  <tr>
                    <th scope="col">{destinationWords.columns.name}</th>
                    <th scope="col">{destinationWords.columns.kind}</th>
                    <th scope="col">{destinationWords.columns.when}</th>
                    <th scope="col">{destinationWords.columns.state}</th>
                    <th scope="col">{destinationWords.columns.order}</th>
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
          <h2>{destinationWords.add}</h2>
          <div class="actions">
            {KIND_NAMES.map((kind) => (
              <LinkButton
                href={`${newAt}${newAt.includes('?') ? '&' : '?'}kind=${kind}`}
                icon="plus"
              >
                {destinationWords.kinds[kind].label}
              </LinkButton>
            ))}
          </div>
          {form && seesAll && (
            <p>
              <a href="/destinations">{destinationWords.openAll}</a>
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
        {of !== 'form' && <div class="hint">{destinationWords.of[of]}</div>}
      </th>
      <td>{destinationWords.kinds[kind].label}</td>
      <td>
        {conditions.length === 0
          ? destinationWords.everything
          : conditions.map(sentenceOf).join(destinationWords.joined[match])}
      </td>
      <td>
        <State kind={TONES[state]}>{destinationWords.states[state]}</State>
      </td>
      <td>
        {upAt !== null && (
          <ActionForm action={upAt}>
            <Button kind="plain">{destinationWords.up}</Button>
          </ActionForm>
        )}
        {exclusion && (
          <ActionForm action={exclusion.at}>
            <Button kind="plain">
              {exclusion.isExcluded ? destinationWords.include : destinationWords.exclude}
            </Button>
          </ActionForm>
        )}
      </td>
    </tr>
  );
}

/** Says a condition in words. */
function sentenceOf({ field, fact, op, value }: Condition): string {
  const what = fact === null ? (field ?? '') : destinationWords.facts[fact].toLowerCase();
  return `${what} ${destinationWords.ops[op]} “${value}”`;
}
