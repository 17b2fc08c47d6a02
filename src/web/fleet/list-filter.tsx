import { COLUMNS, nameOf, type Column } from '../../fleet/fleet-filter.js';
import { Button, Check, Field, Select } from '../parts/controls.js';
import { fleetWords } from './words.js';
import { formWords } from '../forms/words.js';
import type { ListAsk } from './list-ask.js';

/** Draws what the list is filtered and sorted by. It asks by GET, so that what is shown has an address. */
export function ListFilter(props: {
  ask: ListAsk;
  clients: readonly { id: number; name: string }[];
  isFiltered: boolean;
}) {
  const { ask, clients, isFiltered } = props;
  const { q, clientId, hasProblems } = ask.filter;
  const options = clients.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <form class="filter" action="/forms" role="search">
      <Field name="q" label={formWords.search} type="search" value={q} maxlength={255} />
      {clients.length > 0 && (
        <Select
          name="client"
          label={fleetWords.client}
          value={clientId === null ? '' : String(clientId)}
          options={[{ value: '', label: fleetWords.anyClient }, ...options]}
        />
      )}
      <Select
        name="sort"
        label={fleetWords.sort}
        value={nameOf(ask.order)}
        options={ordersOf(ask, clients.length > 0)}
      />
      <Check name="problems" label={fleetWords.problems} checked={hasProblems} />
      <Button kind="plain">{fleetWords.find}</Button>
      {isFiltered && <a href="/forms">{fleetWords.reset}</a>}
    </form>
  );
}

/** Returns the columns to sort by, and the order of the list where it is turned round. */
function ordersOf({ order }: ListAsk, withClients: boolean) {
  const { columns } = fleetWords;
  const offered = COLUMNS.filter((column) => column !== 'client' || withClients);
  const option = (column: Column) => ({ value: column, label: columns[column] });
  const turned = { value: nameOf(order), label: `${columns[order.column]} ↑` };
  return [...offered.map(option), ...(order.isReversed ? [turned] : [])];
}
