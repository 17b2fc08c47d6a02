import { completionOf, type Visited, type Visits } from '../../statistics/visits.service.js';
import { Section, Table } from '../parts/index.js';

/** Draws what became of the visits to the pages of a form, by page and by campaign; nothing where none were counted. */
export function VisitsSection({ total, pages, campaigns }: Visits) {
  if (total.views === 0) return null;
  return (
    <Section
      title="Visits"
      hint="Visits to pages with the script of this form, without cookies or anything that tells visitors apart. Completion is the share of visits that ended in a submission."
    >
      <VisitedTable title="Pages" column="Page" rows={pages.length > 1 ? [...pages, total] : pages} sum={total} />
      {campaigns.length > 0 && <VisitedTable title="Campaigns" column="Campaign" rows={campaigns} sum={total} />}
    </Section>
  );
}

function VisitedTable(props: { title: string; column: string; rows: readonly Visited[]; sum: Visited }) {
  const { title, column, rows, sum } = props;
  const heads = ['Views', 'Starts', 'Submissions', 'Completion'];
  return (
    <Table panel="counts" caption={title} head={[column, ...heads.map((number) => ({ number }))]}>
      {rows.map((row) => (
        <tr>
          <th scope="row" dir="auto">
            {row === sum ? 'All pages' : (row.value ?? 'Other')}
          </th>
          {[row.views, row.starts, row.submissions].map((count, at) => (
            <td class="number" data-label={heads[at]}>
              {count.toLocaleString('en')}
            </td>
          ))}
          <td class="number" data-label={heads[3]}>
            {percentOf(completionOf(row))}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function percentOf(share: number | null) {
  return share === null ? '–' : `${Math.round(share * 100)}%`;
}
