import type { AuditFilter } from '../../accounts/audit/audit.service.js';
import { BY_TIME, Pages, Button, Field, LinkButton, Select, Empty, Time, Table, Tabs } from '../parts/index.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../accounts/audit/audit-actions.js';
import { startOfDay, DAY_MS } from '../../platform/index.js';
import { Page, AsCurl } from '../layout/shell.js';
import { auditWords } from './words.js';

/** Filter of the audit log page, as its address has it; '' for no choice. */
interface AuditAsk {
  /** Such as `person`, or `person:7` for one. */
  actor: string;
  action: string;
  /** Such as `form`, or `form:0123456789abcdef` for one. */
  target: string;
  /** First day, such as `2030-01-31`, in the zone of the person who looks. */
  from: string;
  /** Last day. */
  to: string;
  /** `instance` for what concerns the whole service. */
  of: string;
}

const ACTOR = /^(person|token|operator)(?::([1-9]\d{0,8}))?$/;
const TARGET = /^([a-z]{1,32})(?::([\w-]{1,64}))?$/;

/** Reads an address; what it cannot be is no choice. */
export function askOf(query: Record<string, unknown>): AuditAsk {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const known = (name: string, shape: RegExp) => (shape.test(text(name)) ? text(name) : '');
  return {
    actor: known('actor', ACTOR),
    action: AUDIT_ACTIONS.find((action: AuditAction) => action === text('action')) ?? '',
    target: known('target', TARGET),
    from: known('from', /^\d{4}-\d\d-\d\d$/),
    to: known('to', /^\d{4}-\d\d-\d\d$/),
    of: text('of') === 'instance' ? 'instance' : '',
  };
}

/** Returns what selects the entries that are asked for. */
export function filterOf(ask: AuditAsk, timeZone: string): AuditFilter {
  const [, actorKind, actorId] = ACTOR.exec(ask.actor) ?? [];
  const [, targetKind, targetId] = TARGET.exec(ask.target) ?? [];
  const since = startOfDay(ask.from, timeZone);
  const until = startOfDay(dayAfter(ask.to), timeZone);
  return {
    ...(ask.action !== '' && { action: ask.action }),
    ...(actorKind !== undefined && { actorKind }),
    ...(actorId !== undefined && { actorId: Number(actorId) }),
    ...(targetKind !== undefined && { targetKind }),
    ...(targetId !== undefined && { targetId }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

/** Returns '' for what is no day. */
function dayAfter(day: string) {
  const time = Date.parse(day);
  return Number.isNaN(time) ? '' : new Date(time + DAY_MS).toISOString().slice(0, 10);
}

/** Returns the address of what is asked for, without what is not said. */
export function auditAddress(ask: Partial<AuditAsk> & { before?: string }, path = '/audit') {
  const said = Object.entries(ask).filter(([, value]) => value !== '');
  const parameters = new URLSearchParams(said);
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

/** An entry as the list shows it. */
export interface AuditRow {
  at: Date;
  /** The value of the filter that shows this actor alone. */
  actor: string;
  actorName: string;
  action: string;
  target: string;
  targetKind: string;
  targetName: string | null;
  details: Record<string, unknown>;
  address: string | null;
}

export interface AuditPageProps {
  ask: AuditAsk;
  rows: AuditRow[];
  people: { id: number; name: string }[];
  days: number;
  /** Address of the next page; null on the last. */
  older: string | null;
  isOlder: boolean;
  /** Address in the API of what is shown; null for what is not in it. */
  apiUrl: string | null;
  /** Whether this person may see what concerns the whole service too. */
  isOperator: boolean;
}

/** Draws who did what to what, and the choice of what of it is shown. */
export function AuditPage(props: AuditPageProps) {
  const { ask, rows, days, older, isOlder, isOperator } = props;
  return (
    <Page
      title={auditWords.title}
      section="audit"
      actions={
        ask.of === '' && (
          <>
            <LinkButton href={auditAddress(ask, '/audit.csv')} icon="download">
              CSV
            </LinkButton>
            <LinkButton href={auditAddress(ask, '/audit.ndjson')} icon="download">
              NDJSON
            </LinkButton>
          </>
        )
      }
    >
      <p class="hint">
        The record of changes and sign-ins. We keep entries for {days} days, and nobody can change them.
      </p>
      {isOperator && (
        <Tabs
          label="Logs"
          tabs={[
            { href: '/audit', name: 'This account', isNow: ask.of === '' },
            { href: '/audit?of=instance', name: 'Whole service', isNow: ask.of !== '' },
          ]}
        />
      )}
      <Filter {...props} />
      {rows.length === 0 ? (
        <Empty icon="history" title="Nothing found">
          <p>No entries match this filter.</p>
        </Empty>
      ) : (
        <Entries rows={rows} ask={ask} />
      )}
      <Pages pages={{ first: isOlder ? auditAddress(ask) : null, next: older }} words={BY_TIME} />
      {props.apiUrl !== null && <AsCurl url={props.apiUrl} />}
    </Page>
  );
}

/** Asks by GET, so that what is found can be kept as an address. */
function Filter({ ask, rows, people }: AuditPageProps) {
  const actors = [
    ...Object.entries(auditWords.actorKinds).map(([value, label]) => ({ value, label })),
    ...people.map(({ id, name }) => ({ value: `person:${id}`, label: name })),
  ];
  const targets = Object.entries(auditWords.kinds).map(([value, label]) => ({ value, label }));
  const actor = rows.find((row) => row.actor === ask.actor)?.actorName ?? ask.actor;
  const target = rows.find((row) => row.target === ask.target)?.targetName ?? ask.target;
  const isSaid = Object.entries(ask).some(([name, value]) => name !== 'of' && value !== '');
  return (
    <form class="filter" action="/audit" role="search">
      {ask.of !== '' && <input type="hidden" name="of" value={ask.of} />}
      <Select
        name="actor"
        label={auditWords.who}
        value={ask.actor}
        options={[{ value: '', label: 'Anyone' }, ...withOwn(actors, ask.actor, actor)]}
      />
      <Select
        name="action"
        label={auditWords.what}
        value={ask.action}
        options={{ '': auditWords.anything, ...auditWords.actions }}
      />
      <Select
        name="target"
        label={auditWords.target}
        value={ask.target}
        options={[{ value: '', label: auditWords.anything }, ...withOwn(targets, ask.target, target)]}
      />
      <Field name="from" label="From" type="date" value={ask.from} />
      <Field name="to" label="To" type="date" value={ask.to} />
      <Button kind="plain">Apply filter</Button>
      {isSaid && (
        <a class="quiet" href={auditAddress({ of: ask.of })}>
          Clear filter
        </a>
      )}
    </form>
  );
}

/** Adds a choice that a row led to and that the list does not have by itself. */
function withOwn(options: { value: string; label: string }[], value: string, label: string) {
  const isKnown = value === '' || options.some((option) => option.value === value);
  return isKnown ? options : [...options, { value, label }];
}

function Entries({ rows, ask }: { rows: AuditRow[]; ask: AuditAsk }) {
  return (
    <Table
      class="audit"
      caption={auditWords.title}
      head={['Time', auditWords.who, auditWords.what, auditWords.target, 'IP address']}
    >
      {rows.map((row) => (
        <Entry row={row} ask={ask} />
      ))}
    </Table>
  );
}

function Entry({ row, ask }: { row: AuditRow; ask: AuditAsk }) {
  const { at, actor, actorName, action, target, targetKind, targetName, details, address } = row;
  const known: Record<string, string | undefined> = auditWords.actions;
  const kinds: Record<string, string | undefined> = auditWords.kind;
  return (
    <tr>
      <td class="quiet">
        <Time at={at} />
      </td>
      <td class="who">
        <a href={auditAddress({ ...ask, actor })}>{actorName}</a>
      </td>
      <td class="what">
        {known[action] ?? action}
        <Details details={details} />
      </td>
      <td class="target">
        <span class="hint">{kinds[targetKind] ?? targetKind}</span>{' '}
        <a href={auditAddress({ ...ask, target })}>{targetName ?? shortIdOf(target)}</a>
      </td>
      <td class="quiet">{address ?? 'Command line'}</td>
    </tr>
  );
}

/** Returns the beginning of an id, such as `01a20404` of `job:01a20404-bd4b-…`, for what has no name. */
function shortIdOf(target: string) {
  return target.slice(target.indexOf(':') + 1).slice(0, 8);
}

function Details({ details }: { details: Record<string, unknown> }) {
  const labels: Record<string, string | undefined> = auditWords.details;
  const said = Object.entries(details)
    .filter(([, value]) => value !== null && value !== false && value !== '')
    .map(([name, value]) => {
      const text = value === true ? 'yes' : String(value).replaceAll(',', ', ');
      return `${labels[name] ?? name}: ${text}`;
    });
  if (said.length === 0) return null;
  return (
    <>
      <br />
      <span class="hint">{said.join(' · ')}</span>
    </>
  );
}
