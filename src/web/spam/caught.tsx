import { fieldLabel } from '../../forms/model/field-label.js';
import type { SpamStatistics } from '../../statistics/spam/spam-statistics.service.js';
import { Time } from '../parts/time.js';
import { spamWords } from './words.js';

/** Draws how much each signal caught lately, and how often people reversed it. */
export function Caught({ signals, totals, lookedTo }: SpamStatistics) {
  const speaking = signals.filter(({ found }) => found > 0);
  return (
    <section>
      <p class="hint">{speaking.length === 0 ? spamWords.caughtNothing : spamWords.caughtHint}</p>
      {speaking.length > 0 && (
        <div class="panel">
          <table>
            <caption>{spamWords.caught}</caption>
            <thead>
              <tr>
                <th scope="col">{spamWords.signal}</th>
                {COLUMNS.map((column) => (
                  <th scope="col" class="number">
                    {spamWords.columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {speaking.map((signal) => (
                <tr>
                  <th scope="row">{spamWords.signals[signal.name] ?? fieldLabel(signal.name)}</th>
                  {COLUMNS.map((column) => (
                    <td class="number" data-label={spamWords.columns[column]}>
                      {signal[column].toLocaleString('en')}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="hint">{spamWords.caughtTotals(totals)}</p>
      {lookedTo !== null && (
        <p class="hint">
          {spamWords.lookedTo} <Time at={lookedTo} />
        </p>
      )}
    </section>
  );
}

const COLUMNS = ['found', 'held', 'spam', 'reversed'] as const;
