import { LinkButton } from '../parts/controls.js';
import { Empty, PageHead } from '../parts/content.js';
import { ListTools } from '../parts/list-tools.js';
import { Pages, type ListPages } from '../parts/pages.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

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
  frame: Frame;
  rows: ClientRow[];
  /** The name or address that is searched for. */
  q: string;
  pages: ListPages;
  mayChange: boolean;
}) {
  const { frame, rows, q, pages, mayChange } = props;
  const { client } = words;
  const isEmpty = rows.length === 0 && q === '';
  const create = mayChange && (
    <LinkButton href="/new-client" kind="primary" icon="plus">
      {client.create}
    </LinkButton>
  );
  return (
    <Shell title={client.list} frame={frame} section="clients">
      <PageHead title={client.list}>{!isEmpty && create}</PageHead>
      {!isEmpty && <ListTools action="/clients" label={client.search} q={q} />}
      {!isEmpty && rows.length === 0 && <p>{client.noneFound(q)}</p>}
      {isEmpty && (
        <Empty icon="users" title={client.emptyTitle}>
          <p>{client.empty}</p>
          {create}
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="panel">
          <table>
            <caption>{client.list}</caption>
            <thead>
              <tr>
                <th scope="col">{client.name}</th>
                <th scope="col">{client.email}</th>
                <th scope="col">{client.forms}</th>
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
                  <td class="quiet wide" data-label={client.forms}>
                    {forms.length === 0 && client.noForms}
                    {forms.map((form, at) => (
                      <>
                        {at > 0 && ', '}
                        <bdi>{form}</bdi>
                      </>
                    ))}
                    {hasMoreForms && ` ${client.moreForms}`}
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
