import type { Token } from '../../accounts/tokens/token.entity.js';
import { RIGHTS } from '../../accounts/access/index.js';
import type { FieldProblem } from '../../platform/index.js';
import {
  ActionForm,
  Check,
  Field,
  LinkButton,
  Copyable,
  Empty,
  Notice,
  PageHead,
  Time,
  Table,
  Confirm,
} from '../parts/index.js';
import { Page, Shell } from '../layout/shell.js';

/** Words of API tokens. */
export const tokenWords = {
  list: 'API tokens',
  create: 'Create API token',
  agent: 'Connect an agent',
  name: 'Name',
  rights: 'Permissions',
  lastUsed: 'Last used',
  never: 'Never',
  expiry: 'Expires',
  revoke: 'Revoke',
  /** By the right that allows it. */
  allows: {
    'submissions:read': 'Read and export submissions',
    'submissions:write': 'Mark, edit, erase and resend submissions',
    'forms:read': 'View forms and their settings',
    'forms:write': 'Change and delete forms',
    'forms:create': 'Create forms',
    'webhooks:secret': 'Read webhook secrets in the API',
    'clients:read': 'View clients',
    'clients:write': 'Add, change and delete clients',
    'people:read': 'View people and invitations',
    'people:write': 'Invite people and change their roles',
    'tokens:write': 'Create and revoke API tokens',
    'audit:read': 'Read the audit log',
  },
} as const;

/** Draws the tokens of an account, each with a button that revokes it. */
export function TokensPage({ rows }: { rows: readonly Token[] }) {
  const create = (
    <>
      <LinkButton href="/tokens/agent">{tokenWords.agent}</LinkButton>
      <LinkButton href="/new-token" kind="primary" icon="plus">
        {tokenWords.create}
      </LinkButton>
    </>
  );
  return (
    <Page title={tokenWords.list} section="tokens" actions={rows.length > 0 && create}>
      {rows.length === 0 ? (
        <Empty icon="key-round" title="No API tokens yet">
          <p>Create one for each program that uses the API.</p>
          {create}
        </Empty>
      ) : (
        <Table
          caption={tokenWords.list}
          head={[tokenWords.name, tokenWords.rights, tokenWords.lastUsed, tokenWords.expiry, tokenWords.revoke]}
        >
          {rows.map((row) => (
            <Row token={row} />
          ))}
        </Table>
      )}
    </Page>
  );
}

function Row({ token }: { token: Token }) {
  const { id, name, rights, clientId, lastUsedAt, expiresAt } = token;
  return (
    <tr>
      <th scope="row">
        {name} {clientId !== null && <span class="hint">Client</span>}
      </th>
      <td class="quiet" data-label={tokenWords.rights}>
        {rights.length === RIGHTS.length ? 'Everything' : rights.join(', ')}
      </td>
      <td class="quiet" data-label={tokenWords.lastUsed}>
        {lastUsedAt ? <Time at={lastUsedAt} /> : tokenWords.never}
      </td>
      <td class="quiet" data-label={tokenWords.expiry}>
        {expiresAt ? <Time at={expiresAt} /> : tokenWords.never}
      </td>
      <td>
        <Confirm
          action={`/tokens/${id}/revoke`}
          label={tokenWords.revoke}
          question="Programs that use this token lose access immediately."
          go={tokenWords.revoke}
        />
      </td>
    </tr>
  );
}

export interface NewTokenPageProps {
  /** The rights that may be granted: the person's own. */
  rights: readonly string[];
  typed: { name: string; rights: string[]; expires: string };
  problems: FieldProblem[];
}

/** Draws the page that asks what a new token is for. */
export function NewTokenPage({ rights, typed, problems }: NewTokenPageProps) {
  const allows: Record<string, string | undefined> = tokenWords.allows;
  return (
    <Page title={tokenWords.create} section="tokens" up={{ href: '/tokens', label: tokenWords.list }}>
      <p>An API token lets a program use the API on your behalf.</p>
      <ActionForm action="/tokens" problems={problems} submit={tokenWords.create} icon="plus">
        <Field
          name="token.name"
          label={tokenWords.name}
          value={typed.name}

          required
        />
        <fieldset>
          <legend>{tokenWords.rights}</legend>
          <p class="hint">Select none to allow everything you can do.</p>
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
        <ExpiryField value={typed.expires} />
      </ActionForm>
    </Page>
  );
}

/** Asks when a token expires. */
export function ExpiryField({ value }: { value: string }) {
  return (
    <Field
      name="token.expires_at"
      label="Expiry date"
      hint="Leave it empty if the token should not expire."
      type="date"
      value={value}
    />
  );
}

/** Draws a new token with its secret: the only page that ever shows it. */
export function IssuedTokenPage(props: { name: string; secret: string; baseUrl: string }) {
  return (
    <Shell title="New API token" section="tokens">
      <PageHead title={props.name} up={{ href: '/tokens', label: tokenWords.list }} />
      <Notice kind="warn">
        <p>Copy the token now. We show it only once and never store it.</p>
      </Notice>
      <Copyable id="secret" text={props.secret} />
      <p>Send it with every request:</p>
      <Copyable
        id="use"
        text={`curl ${props.baseUrl}/api/v1/forms \\\n  --header 'Authorization: Bearer ${props.secret}'`}
      />
      <LinkButton href="/tokens" kind="primary" icon="check">
        I have copied it
      </LinkButton>
    </Shell>
  );
}
