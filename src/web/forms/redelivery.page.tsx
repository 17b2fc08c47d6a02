import { Empty, Notice, PageHead } from '../layout/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../layout/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../layout/time.js';
import { words } from '../words.js';

const { redelivery } = words;

export interface RedeliveryPageProps {
  frame: Frame;
  identifier: string;
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

/** Says how many calls were given up, and from when, before it offers to send them again. */
export function RedeliveryPage(props: RedeliveryPageProps) {
  const { frame, identifier, from, count, isAll, to, isDisabled } = props;
  const webhook = `/forms/${identifier}/webhook`;
  const here = `${webhook}/failed`;
  return (
    <Shell title={redelivery.title} frame={frame} section="forms">
      <PageHead title={redelivery.title} up={{ href: webhook, label: words.webhook.title }} />
      <form class="filter" action={here}>
        <Field name="from" label={redelivery.from} type="date" value={from} />
        <Button kind="plain">{redelivery.ask}</Button>
      </form>
      {count === 0 ? (
        <Empty icon="webhook" title={redelivery.emptyTitle}>
          <p>{redelivery.empty}</p>
        </Empty>
      ) : (
        <>
          <Found {...props} />
          {isDisabled ? (
            <Notice kind="warn">
              <p>{redelivery.disabled}</p>
              <LinkButton href={webhook} icon="webhook">
                {words.webhook.enable}
              </LinkButton>
            </Notice>
          ) : (
            <ActionForm action={here}>
              <Actions>
                <Button icon="rotate-ccw">{redelivery.go(count, isAll)}</Button>
                <LinkButton href={webhook}>{words.cancel}</LinkButton>
              </Actions>
              <input type="hidden" name="from" value={from} />
              <input type="hidden" name="to" value={to} />
            </ActionForm>
          )}
        </>
      )}
    </Shell>
  );
}

function Found({ count, isAll, oldestAt, newestAt }: RedeliveryPageProps) {
  return (
    <>
      <p>
        {redelivery.found(count, isAll)}
        {oldestAt && newestAt && (
          <>
            {' '}
            {redelivery.since(count)} <Time at={oldestAt} />
            {count > 1 && (
              <>
                {' '}
                {redelivery.and} <Time at={newestAt} />
              </>
            )}
            .
          </>
        )}
      </p>
      <p class="hint">{redelivery.hint}</p>
    </>
  );
}
