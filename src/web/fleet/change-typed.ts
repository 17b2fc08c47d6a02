import { InvalidForm, isTicked, textOf, type Typed, idOf, typedValue } from '../parts/index.js';
import { SETTINGS } from '../../forms/model/setting-groups.js';
import {
  nameOf,
  orderOf,
  ORDERS,
  type Column,
  type FleetFilter,
  type FleetOrder,
} from '../../reports/fleet/fleet-filter.js';

/** Begins the names of fields: they are the paths of the API, whose problems name them. */
export const PREFIX = 'change.settings.';
/** Begins the names of boxes that clear a setting. */
export const CLEAR = 'clear.';
/** Field with the identifiers of the forms. */
export const FORMS = 'change.forms';

/** The settings that the page asks for. */
export const ON_PAGE = [...SETTINGS.values()].filter(
  ({ declared, key }) => declared.page !== undefined && key !== 'name',
);
export const GRANTS = ['grant_to', 'withdraw_from'] as const;

/** Returns the identifiers of the forms that a page names. */
export function formsTyped(sent: Typed | undefined): string[] {
  return textOf(sent, FORMS)
    .split(',')
    .filter((identifier) => identifier !== '');
}

/** Returns a change in the shape of the API. @throws InvalidForm where nothing is to change */
export function changeTyped(sent: Typed | undefined, timeZone: string): object {
  const settings = settingsTyped(sent, timeZone);
  if (Object.keys(settings).length === 0) {
    const field = `${PREFIX}notify_owner_on_submission`;
    throw new InvalidForm([{ field, code: 'nothing_to_change', message: 'Choose at least one setting to change.' }]);
  }
  return { change: { forms: formsTyped(sent), settings } };
}

/** Returns the settings that were typed, chosen or cleared, in the shape of the API. */
function settingsTyped(sent: Typed | undefined, timeZone: string) {
  const typed = (name: string) => textOf(sent, PREFIX + name).trim();
  const settings: Record<string, unknown> = {};
  for (const { key, declared } of ON_PAGE) {
    if (typed(key) !== '') settings[key] = typedValue(declared, typed(key), timeZone);
    else if (isTicked(sent, CLEAR + key)) settings[key] = null;
  }
  for (const name of GRANTS) if (typed(name) !== '') settings[name] = Number(typed(name));
  return settings;
}

/** Returns what people call a setting of a change. */
export function settingLabel(key: string) {
  const granted: Record<string, string | undefined> = fleetWords.change.grants;
  return SETTINGS.get(key)?.declared.page?.label ?? granted[key] ?? key;
}

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
export function listAddress({ filter, order, page }: ListAsk) {
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

const count = (n: number) => n.toLocaleString('en');
const forms = (n: number) => (n === 1 ? 'one form' : `${count(n)} forms`);

/** Words of the list of forms and of changes of many. */
export const fleetWords = {
  columns: {
    name: 'Name',
    client: 'Client',
    recent: 'Last 30 days',
    spam: 'Spam',
    failed: 'Failed',
    submissions: 'Submissions',
    latest: 'Last submission',
    created: 'Oldest first',
  },
  cut: (max: number) => `Filtering and sorting cover the ${count(max)} oldest forms only.`,
  shown: (from: number, to: number, total: number) =>
    total === 1 ? 'One form' : `${count(from)}–${count(to)} of ${forms(total)}`,
  changeAll: (total: number) => `Change all ${count(total)}`,
  change: {
    title: (n: number) => `Change ${forms(n)}`,
    none: 'No forms selected',
    back: 'Back to the forms',
    cut: (max: number, total: number) =>
      `One change covers up to ${count(max)} forms. These are the first ${count(max)} of ${count(total)}.`,
    on: 'On',
    off: 'Off',
    grants: { grant_to: 'Grant to client', withdraw_from: 'Withdraw from client' },
    previewTitle: 'Preview of changes',
    apply: (n: number) => `Change ${forms(n)}`,
    will: {
      changed: (n: number) => `${count(n)} will change`,
      unchanged: (n: number) => `${count(n)} stay as they are`,
      refused: (n: number) => `${count(n)} cannot change`,
    },
    did: {
      changed: (n: number) => `${count(n)} changed`,
      unchanged: (n: number) => `${count(n)} stayed as they were`,
      refused: (n: number) => `${count(n)} did not change`,
    },
    form: 'Form',
    before: 'Before',
    after: 'After',
  },
} as const;
