import {
  nameOf,
  orderOf,
  ORDERS,
  type Column,
  type FleetFilter,
  type FleetOrder,
} from '../../reports/fleet/fleet-filter.js';
import { idOf } from '../parts/lists.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';

/** The part of the list of forms that is shown, as its address says it. */
export interface ListAsk {
  filter: FleetFilter;
  order: FleetOrder;
  /** From 1. */
  page: number;
}

/** Reads the query of the list; what it does not know is left out. */
export function listAsked(sent: Typed): ListAsk {
  const sort = ORDERS.find((name) => name === textOf(sent, 'sort')) ?? 'created';
  return {
    filter: {
      q: textOf(sent, 'q').trim(),
      clientId: idOf(sent, 'client') || null,
      hasProblems: isTicked(sent, 'problems'),
    },
    order: orderOf(sort),
    page: idOf(sent, 'page') || 1,
  };
}

/** Returns the parameters that name a filter. */
export function filterFields({ q, clientId, hasProblems }: FleetFilter): Record<string, string> {
  return {
    ...(q !== '' && { q }),
    ...(clientId !== null && { client: String(clientId) }),
    ...(hasProblems && { problems: 'true' }),
  };
}

/** Returns the address of a list. */
export function listAddress({ filter, order, page }: ListAsk): string {
  const sort = nameOf(order);
  const query = new URLSearchParams({
    ...filterFields(filter),
    ...(sort !== 'created' && { sort }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? '/forms' : `/forms?${query.toString()}`;
}

/** Returns the order after a press on the head of a column, which turns its order round. */
export function pressed(order: FleetOrder, column: Column): FleetOrder {
  return { column, isReversed: order.column === column && !order.isReversed };
}
