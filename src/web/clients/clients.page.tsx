import { LinkButton } from '../parts/controls.js';
import { Empty, PageHead } from '../parts/content.js';
import { ListTools, Pages, type ListPages } from '../parts/lists.js';
import { Shell } from '../layout/shell.js';
import { clientWords } from './words.js';

/** A client as the list shows it. */
export interface ClientRow {
  id: number;
  name: string;
  email: string;
  /** Names of its first forms. */
  forms: string[];
  hasMoreForms: boolean;
}

/** Draws the clients of an account. */
export function ClientsPage(props: {
  rows: ClientRow[];
  /** The name or address that is searched for. */
  q: string;
  pages: ListPages;
  mayChange: boolean;
}) {
  const { rows, q, pages, mayChange } = props;
  const isEmpty = rows.length === 0 && q === '';
  const create = mayChange && (
    <LinkButton href="/new-client" kind="primary" icon="plus">
      {clientWords.create}
    </LinkButton>
  );
  return (
    <Shell title={clientWords.list} section="clients">
      <PageHead title={clientWords.list}>{!isEmpty && create}</PageHead>
      {!isEmpty && <ListTools action="/clients" label={clientWords.search} q={q} />}
      {!isEmpty && rows.length === 0 && <p>{clientWords.noneFound(q)}</p>}
      {isEmpty && (
        <Empty icon="users" title={clientWords.emptyTitle}>
          <p>{clientWords.empty}</p>
          {create}
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="panel">
          <table>
            <caption>{clientWords.list}</caption>
            <thead>
              <tr>
                <th scope="col">{clientWords.name}</th>
                <th scope="col">{clientWords.email}</th>
                <th scope="col">{clientWords.forms}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, name, email, forms, hasMoreForms }) => (
                <tr>
                  <th scope="row">
                    {mayChange ? (
                      <a class="row" href={`/clients/${id}`}>
                        <bdi>{name}</bdi>
                      </a>
                    ) : (
                      <bdi>{name}</bdi>
                    )}
                  </th>
                  <td class="quiet address">{email}</td>
                  <td class="quiet wide" data-label={clientWords.forms}>
                    {forms.length === 0 && clientWords.noForms}
                    {forms.map((form, at) => (
                      <>
                        {at > 0 && ', '}
                        <bdi>{form}</bdi>
                      </>
                    ))}
                    {hasMoreForms && ` ${clientWords.moreForms}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages pages={pages} />
    </Shell>
  );
}
