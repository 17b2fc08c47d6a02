import type { ImportState as StateName } from '../../imports/model/import.entity.js';
import type { RowProblem } from '../../imports/model/portion-done.js';
import { State } from '../parts/content.js';
import { importWords } from './words.js';

/** Longest text that is shown, in characters. */
const TEXT_MAX = 120;
/** Rows that a page names. */
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
  return <State kind={KINDS[state]}>{importWords.states[state]}</State>;
}

export interface RowProblemsProps {
  title: string;
  /** The first ones. */
  rows: readonly RowProblem[];
  /** How many there are. */
  all: number;
}

/** Draws what is wrong with rows, with their lines. */
export function RowProblems({ title, rows, all }: RowProblemsProps) {
  const text = importWords;
  if (all === 0) return null;
  const named = rows.slice(0, NAMED_MAX);
  return (
    <section>
      <h2>{title}</h2>
      <div class="panel">
        <table>
          <caption>{title}</caption>
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

/** Returns as much of a name or a value as is shown. */
export function shortened(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text;
}
