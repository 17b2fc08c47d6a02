import { Empty, Notice, Time, partWords } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton, Select } from '../parts/controls.js';
import { callWords, redeliveryWords } from './words.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';

/** Kind of deliveries that can be sent again. */
export type RedeliveryKind = keyof typeof redeliveryWords.kinds;

const KINDS = Object.entries(redeliveryWords.kinds).map(([value, { label }]) => ({ value, label }));

export interface RedeliveryPageProps {
  form: FormShown;
  kind: RedeliveryKind;
  /** First day of the submissions, such as `2030-01-31`; '' for all. */
  from: string;
  /** How many were given up; at least, when it is not all. */
  count: number;
  isAll: boolean;
  oldestAt: Date | null;
  newestAt: Date | null;
  /** The moment of the count, ISO 8601: what is planned later is not among them. */
  to: string;
  isDisabled: boolean;
}

/** Returns the address of the page for a kind. @param form the address of the form */
export function redeliveryAddress(form: string, kind: RedeliveryKind): string {
  return `${form}/redelivery?kind=${kind}`;
}

/** Says how many calls or mails were given up, and from when, before it offers to send them again. */
export function RedeliveryPage(props: RedeliveryPageProps) {
  const { form, kind, from, count, isAll, to, isDisabled } = props;
  const address = `/forms/${form.identifier}`;
  const webhook = `${address}/webhook`;
  const here = `${address}/redelivery`;
  const isCall = kind === 'webhook' || kind === 'destination';
  const { many, empty } = redeliveryWords.kinds[kind];
  return (
    <FormShell
      form={form}
      title={redeliveryWords.title}
      tab="notifications"
      part={isCall ? 'webhook' : 'emails'}
    >
      <h2>{redeliveryWords.title}</h2>
      <form class="filter" action={here}>
        <Select name="kind" label={redeliveryWords.kind} value={kind} options={KINDS} />
        <Field name="from" label={redeliveryWords.from} type="date" value={from} />
        <Button kind="plain">{redeliveryWords.ask}</Button>
      </form>
      {count === 0 ? (
        <Empty icon={isCall ? 'webhook' : 'mail'} title={redeliveryWords.emptyTitle}>
          <p>{empty}</p>
        </Empty>
      ) : (
        <>
          <Found {...props} />
          {isDisabled ? (
            <Notice kind="warn">
              <p>{redeliveryWords.disabled}</p>
              <LinkButton href={webhook} icon="webhook">
                {callWords.enable}
              </LinkButton>
            </Notice>
          ) : (
            <ActionForm action={here}>
              <Actions>
                <Button icon="rotate-ccw">{redeliveryWords.go(count, isAll, many)}</Button>
                <LinkButton href={isCall ? webhook : address}>{partWords.cancel}</LinkButton>
              </Actions>
              <input type="hidden" name="kind" value={kind} />
              <input type="hidden" name="from" value={from} />
              <input type="hidden" name="to" value={to} />
            </ActionForm>
          )}
        </>
      )}
    </FormShell>
  );
}

function Found({ kind, count, isAll, oldestAt, newestAt }: RedeliveryPageProps) {
  const { one, many } = redeliveryWords.kinds[kind];
  return (
    <>
      <p>
        {redeliveryWords.found(count, isAll, one, many)}
        {oldestAt && newestAt && (
          <>
            {' '}
            {redeliveryWords.since(count)} <Time at={oldestAt} />
            {count > 1 && (
              <>
                {' '}
                {redeliveryWords.and} <Time at={newestAt} />
              </>
            )}
            .
          </>
        )}
      </p>
      <p class="hint">{redeliveryWords.hint}</p>
    </>
  );
}

/** Says by the state of a delivery how its state is drawn. */
export const STATE_KINDS = {
  pending: 'quiet',
  delivering: 'quiet',
  delivered: 'good',
  failed: 'bad',
  obsolete: 'quiet',
  summarised: 'quiet',
  written: 'warn',
} as const;
