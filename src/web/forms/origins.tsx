import { ActionForm, Button } from '../parts/controls.js';
import { State } from '../parts/content.js';
import { Time } from '../parts/time.js';
import { inboxAddress } from '../addresses/folders.js';
import { filterPart } from '../../submissions/filter/filter-line.js';
import { formWords } from './words.js';

/** Where submissions came from lately. */
export interface OriginRow {
  /** Such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The entry of the allowed domains that takes it; null when there can be none. */
  domain: string | null;
  isAllowed: boolean;
  submissions: number;
  lastAt: Date;
}

/** Draws where submissions came from, with a button that allows what is refused. */
export function Origins({ identifier, rows }: { identifier: string; rows: OriginRow[] }) {
  const { origins } = formWords;
  const spam = inboxAddress(`${filterPart('form', identifier)} is:spam`);
  return (
    <section class="apart" id="s-origins">
      <h2>{origins.title}</h2>
      <p class="hint">{rows.length === 0 ? origins.empty : origins.hint}</p>
      {rows.length > 0 && (
        <div class="panel">
          <table>
            <caption>{origins.title}</caption>
            <thead>
              <tr>
                <th scope="col">{origins.origin}</th>
                <th scope="col">{origins.verdict}</th>
                <th scope="col" class="number">
                  {origins.count}
                </th>
                <th scope="col" class="number">
                  {origins.last}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row identifier={identifier} {...row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.some(({ isAllowed }) => !isAllowed) && (
        <p class="hint">
          {origins.kept} <a href={spam}>{origins.toSpam}</a>
        </p>
      )}
    </section>
  );
}

function Row(props: OriginRow & { identifier: string }) {
  const { origin, domain, isAllowed, submissions, lastAt, identifier } = props;
  const { origins } = formWords;
  return (
    <tr>
      <th scope="row">{origin ?? origins.unknown}</th>
      <td class="wide">
        {isAllowed ? (
          <State kind="good">{origins.allowed}</State>
        ) : (
          <div class="refused">
            <State kind="warn">{origins.refused}</State>
            {domain !== null && (
              <ActionForm action={`/forms/${identifier}/origins`}>
                <input type="hidden" name="domain" value={domain} />
                <Button kind="plain" icon="plus">
                  {origins.allow(domain)}
                </Button>
              </ActionForm>
            )}
          </div>
        )}
      </td>
      <td class="number" data-label={origins.count}>
        {submissions.toLocaleString('en')}
      </td>
      <td class="number quiet" data-label={origins.last}>
        <Time at={lastAt} />
      </td>
    </tr>
  );
}
