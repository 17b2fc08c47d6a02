import type { BrokenRow, ImportState as StateName } from '../../imports/model/import.entity.js';
import { State } from '../parts/content.js';
import { words } from '../words.js';

/** Broken rows that a page names. */
const NAMED_MAX = 20;

const KINDS = {
  draft: 'quiet',
  waiting: 'quiet',
  running: 'quiet',
  finished: 'good',
  failed: 'bad',
  undoing: 'quiet',
  undone: 'warn',
} as const;

/** Draws how far an import is. */
export function ImportState({ state }: { state: StateName }) {
  return <State kind={KINDS[state]}>{words.imports.states[state]}</State>;
}

/** Draws the rows that cannot be imported, with their lines. */
export function BrokenRows({ rows, all }: { rows: readonly BrokenRow[]; all: number }) {
  const text = words.imports;
  if (all === 0) return null;
  const named = rows.slice(0, NAMED_MAX);
  return (
    <section>
      <h2>{text.brokenTitle}</h2>
      <div class="panel">
        <table>
          <caption>{text.brokenTitle}</caption>
          <thead>
            <tr>
              <th scope="col">{text.line}</th>
              <th scope="col">{text.reason}</th>
            </tr>
          </thead>
          <tbody>
            {named.map(({ line, reason }) => (
              <tr>
                <th scope="row">
                  {text.line} {line.toLocaleString('en')}
                </th>
                <td dir="auto" data-label={text.reason}>
                  {reason}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all > named.length && <p class="hint">{text.more(all - named.length)}</p>}
    </section>
  );
}
