import { RIGHTS } from '../../access/rights.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field, LinkButton } from '../parts/controls.js';
import { Copyable, Empty, Notice, PageHead } from '../parts/content.js';
import { Confirm } from '../parts/confirm.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../parts/time.js';
import { words } from '../words.js';

/** A token as the list shows it. */
export interface TokenRow {
  id: number;
  name: string;
  rights: readonly string[];
  isClients: boolean;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
}

/** Draws the tokens of an account, each with a button that revokes it. */
export function TokensPage({ frame, rows }: { frame: Frame; rows: TokenRow[] }) {
  const { token } = words;
  const create = (
    <LinkButton href="/new-token" kind="primary" icon="plus">
      {token.create}
    </LinkButton>
  );
  return (
    <Shell title={token.list} frame={frame} section="tokens">
      <PageHead title={token.list}>{rows.length > 0 && create}</PageHead>
      {rows.length === 0 ? (
        <Empty icon="key-round" title={token.emptyTitle}>
          <p>{token.empty}</p>
          {create}
        </Empty>
      ) : (
        <div class="panel">
          <table>
            <caption>{token.list}</caption>
            <thead>
              <tr>
                <th scope="col">{token.name}</th>
                <th scope="col">{token.rights}</th>
                <th scope="col">{token.lastUsed}</th>
                <th scope="col">{token.expiry}</th>
                <th scope="col">{token.revoke}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row {...row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Shell>
  );
}

function Row({ id, name, rights, isClients, lastUsedAt, expiresAt }: TokenRow) {
  const { token } = words;
  return (
    <tr>
      <th scope="row">
        {name} {isClients && <span class="hint">{token.client}</span>}
      </th>
      <td class="quiet" data-label={token.rights}>
        {rights.length === RIGHTS.length ? token.everything : rights.join(', ')}
      </td>
      <td class="quiet" data-label={token.lastUsed}>
        {lastUsedAt ? <Time at={lastUsedAt} /> : token.never}
      </td>
      <td class="quiet" data-label={token.expiry}>
        {expiresAt ? <Time at={expiresAt} /> : token.never}
      </td>
      <td>
        <Confirm
          action={`/tokens/${id}/revoke`}
          label={token.revoke}
          question={token.revokeHint}
          go={token.revoke}
        />
      </td>
    </tr>
  );
}

export interface NewTokenPageProps {
  frame: Frame;
  /** The rights that may be granted: the person's own. */
  rights: readonly string[];
  typed: { name: string; rights: string[]; expires: string };
  problems: FieldProblem[];
}

/** Draws the page that asks what a new token is for. */
export function NewTokenPage({ frame, rights, typed, problems }: NewTokenPageProps) {
  const { token } = words;
  const allows: Record<string, string | undefined> = words.people.allows;
  return (
    <Shell title={token.create} frame={frame} section="tokens">
      <PageHead title={token.create} up={{ href: '/tokens', label: token.list }} />
      <p>{token.createHint}</p>
      <ActionForm action="/tokens" problems={problems}>
        <Field name="token.name" label={token.name} value={typed.name} {...{ problems }} required />
        <fieldset>
          <legend>{token.rights}</legend>
          <p class="hint">{token.rightsHint}</p>
          <div>
            {rights.map((right) => (
              <Check
                name="token.rights"
                value={right}
                label={allows[right] ?? right}
                {...(allows[right] && { hint: right })}
                checked={typed.rights.includes(right)}
              />
            ))}
          </div>
        </fieldset>
        <Field
          name="token.expires_at"
          label={token.expires}
          hint={token.expiresHint}
          type="date"
          value={typed.expires}
          problems={problems}
        />
        <Actions>
          <Button icon="plus">{token.create}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws a new token with its secret: the only page that ever shows it. */
export function IssuedTokenPage(props: {
  frame: Frame;
  name: string;
  secret: string;
  baseUrl: string;
}) {
  const { token } = words;
  return (
    <Shell title={token.secretTitle} frame={props.frame} section="tokens">
      <PageHead title={props.name} up={{ href: '/tokens', label: token.list }} />
      <Notice kind="warn">
        <p>{token.secret}</p>
      </Notice>
      <Copyable id="secret" text={props.secret} />
      <p>{token.use}</p>
      <Copyable
        id="use"
        text={`curl ${props.baseUrl}/api/v1/forms \\\n  --header 'Authorization: Bearer ${props.secret}'`}
      />
      <LinkButton href="/tokens" kind="primary" icon="check">
        {token.done}
      </LinkButton>
    </Shell>
  );
}
