import type { Passkey } from '../../people/credentials/passkey.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Confirm } from '../parts/confirm.js';
import { Notice, PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { PasskeyButton, PasskeyFailed, withoutPasskey } from '../parts/passkey-button.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../parts/time.js';
import { words } from '../words.js';

const { passkeys: text } = words;
const PATH = '/account/passkeys';
const ACCOUNT = { href: '/account', label: words.me.title };

/** The content of the part about passkeys. */
export interface PasskeysSummary {
  /** Whether browsers keep passkeys for the address of this service. */
  arePossible: boolean;
  /** Whether the page is at an address of this service, and not at the host of a client. */
  isOurs: boolean;
  count: number;
}

/** Draws the number of passkeys, on the page about oneself. */
export function PasskeysLine(props: PasskeysSummary & { frame: Frame; hasPassword: boolean }) {
  const { arePossible, count, hasPassword } = props;
  return (
    <section>
      <h2>{text.title}</h2>
      <p>{arePossible ? (count === 0 ? text.none : text.count(count)) : offSaid(props)}</p>
      {count === 1 && !hasPassword && <Notice kind="warn">{text.only}</Notice>}
      {(arePossible || count > 0) && (
        <Actions>
          <LinkButton href={PATH}>{count === 0 ? text.add : text.manage}</LinkButton>
        </Actions>
      )}
    </section>
  );
}

/** Says why there are none to be made; the people of clients read nothing of the settings. */
function offSaid({ frame, isOurs }: { frame: Frame; isOurs: boolean }): string {
  if (!isOurs) return text.notHere;
  return frame.brand === null ? text.off : text.unavailable;
}

/** Draws the passkeys of a person, with buttons that rename, remove and add. */
export function PasskeysPage(props: {
  frame: Frame;
  passkeys: Passkey[];
  arePossible: boolean;
  isOurs: boolean;
  /** Suggested name of the next passkey. */
  name: string;
  problems?: FieldProblem[];
}) {
  const { frame, passkeys, arePossible, name, problems } = props;
  return (
    <Shell title={text.title} frame={frame} section="account">
      <PageHead title={text.title} up={ACCOUNT} />
      <p>{arePossible ? text.what : offSaid(props)}</p>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow passkey={passkey} />
          ))}
        </ul>
      )}
      {arePossible && (
        <section>
          <h2>{text.add}</h2>
          <ActionForm action={PATH} problems={withoutPasskey(problems)}>
            <Field
              name="name"
              label={text.name}
              hint={text.nameHint}
              autocomplete="off"
              value={name}
              maxlength={255}
              problems={problems}
              required
            />
            <p class="hint" data-without-passkeys>
              {text.needsScript}
            </p>
            <Actions>
              <PasskeyButton act="further" options="/api/v1/me/passkeys/options" kind="primary">
                {text.add}
              </PasskeyButton>
            </Actions>
            <PasskeyFailed problems={problems} />
          </ActionForm>
        </section>
      )}
    </Shell>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { name, createdAt, lastUsedAt } = passkey;
  const path = `${PATH}/${formatUuid(passkey.id)}`;
  return (
    <li>
      <p>
        <strong>{name}</strong>
        <br />
        <span class="hint">
          {text.created} <Time at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {text.used} <Time at={lastUsedAt} />
            </>
          ) : (
            text.never
          )}
        </span>
      </p>
      <div class="actions">
        <details class="confirm">
          <summary class="button plain">{text.rename}</summary>
          <div class="sheet">
            <ActionForm action={`${path}/rename`}>
              <div class="field">
                <label for={`name-${formatUuid(passkey.id)}`}>{text.name}</label>
                <input
                  id={`name-${formatUuid(passkey.id)}`}
                  name="name"
                  value={name}
                  maxlength={255}
                  autocomplete="off"
                  required
                />
              </div>
              <Button>{text.save}</Button>
            </ActionForm>
          </div>
        </details>
        <Confirm
          action={`${path}/remove`}
          label={text.remove}
          question={text.removeQuestion(name)}
          go={text.removeGo}
        />
      </div>
    </li>
  );
}
