import type { FieldTop, Top, TopValue } from '../../statistics/facets/facets.service.js';
import { inboxAddress } from '../addresses/folders.js';
import { countryName } from '../parts/country.js';
import { Icon } from '../parts/icon.js';
import { statisticsWords } from './words.js';

/** Facets of the submissions of a span. */
export interface FacetsShown {
  pages: Top;
  origins: Top;
  countries: Top;
  /** Empty for all forms. */
  fields: readonly FieldTop[];
  /** Whether to say how countries come to be shown. */
  tellsOfCountries: boolean;
}

/**
 * Draws bars for pages, origins, countries and values, each a link to its list.
 * @param props.labelOf what the owner calls a field
 */
export function Facets(props: FacetsShown & { labelOf: (field: string) => string }) {
  const { pages, origins, countries, fields, tellsOfCountries, labelOf } = props;
  const [site] = origins.values;
  // A single site, or none that is known, says no more than the pages do.
  const isOneSite = origins.values.length === 1 && origins.other === 0 && pages.values.length > 0;
  const pagesHint =
    isOneSite && site?.value ? statisticsWords.pagesOf(site.value) : statisticsWords.pagesHint;
  const panels = [
    <Panel
      {...{
        top: pages,
        title: statisticsWords.pages,
        column: statisticsWords.page,
        hint: pagesHint,
      }}
      nameOf={(value) => (value === '' ? statisticsWords.noPage : value)}
    />,
    !isOneSite && (
      <Panel
        {...{
          top: origins,
          title: statisticsWords.origins,
          column: statisticsWords.origin,
          hint: statisticsWords.originsHint,
        }}
        nameOf={(value) => (value === '' ? statisticsWords.noOrigin : value)}
      />
    ),
    <Panel
      {...{
        top: countries,
        title: statisticsWords.countries,
        column: statisticsWords.country,
        hint: statisticsWords.countriesHint,
      }}
      nameOf={countryName}
    />,
    ...fields.map((field) => (
      <Panel
        {...{
          top: field,
          title: labelOf(field.field),
          column: statisticsWords.value,
          hint: statisticsWords.valuesHint,
        }}
        rest={statisticsWords.rare}
        nameOf={(value) => value}
      />
    )),
  ];
  const isWithout = countries.values.length === 0 && tellsOfCountries;
  return (
    <>
      <div class="facets">{panels}</div>
      {isWithout && <p class="hint">{statisticsWords.noCountries}</p>}
    </>
  );
}

interface PanelProps {
  top: Top;
  title: string;
  /** Heading of the column of names. */
  column: string;
  hint: string;
  nameOf: (value: string) => string;
  /** Label of all others. */
  rest?: string;
}

function Panel(props: PanelProps) {
  const { top, title, hint } = props;
  const rows = rowsOf(props);
  if (top.values.length === 0) return null;
  return (
    <section class="panel">
      <div class="body">
        <h2 dir="auto">{title}</h2>
        <ol class="bars">
          {rows.map((row) => (
            <li>
              <Bar {...row} most={Math.max(...rows.map(({ submissions }) => submissions))} />
            </li>
          ))}
        </ol>
        <p class="hint">{hint}</p>
        <details class="folded">
          <summary>
            <Icon name="chevron-right" /> {statisticsWords.asTable}
          </summary>
          <Table {...props} rows={rows} />
        </details>
      </div>
    </section>
  );
}

/** A bar, with what it is called. */
interface Row extends Pick<TopValue, 'submissions' | 'line'> {
  name: string;
  isRest: boolean;
}

function rowsOf({ top, nameOf, rest = statisticsWords.other }: PanelProps): Row[] {
  const { values, other } = top;
  const named = values.map(({ value, submissions, line }) => ({
    ...{ name: nameOf(value), submissions, line, isRest: false },
  }));
  if (other === 0) return named;
  return [...named, { name: rest, submissions: other, line: null, isRest: true }];
}

function Bar({ name, submissions, line, isRest, most }: Row & { most: number }) {
  const drawn = (
    <>
      <span class="what" dir="auto">
        {name}
      </span>
      <span class="number">{submissions.toLocaleString('en')}</span>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="ground" width="100" height="1" />
        <rect width={Math.max((submissions / most) * 100, 0.5).toFixed(1)} height="1" />
      </svg>
    </>
  );
  if (line === null) return <div class={isRest ? 'rest' : undefined}>{drawn}</div>;
  return <a href={inboxAddress(line)}>{drawn}</a>;
}

function Table({ title, column, rows }: PanelProps & { rows: readonly Row[] }) {
  const sum = rows.reduce((all, { submissions }) => all + submissions, 0);
  return (
    <div class="panel counts">
      <table>
        <caption dir="auto">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            <th scope="col" class="number">
              {statisticsWords.submissions}
            </th>
            <th scope="col" class="number">
              {statisticsWords.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, submissions }) => (
            <tr>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td class="number" data-label={statisticsWords.submissions}>
                {submissions.toLocaleString('en')}
              </td>
              <td class="number" data-label={statisticsWords.share}>
                {Math.round((submissions / sum) * 100)}%
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
