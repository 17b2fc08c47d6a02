import { encode } from 'uqr';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { totpAddress } from '../../people/credentials/totp.js';
import { Copyable, PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

const { totp } = words;
const ACCOUNT = { href: '/account', label: words.me.title };

/** Gives an authenticator app its secret, and asks for a code to be sure that it has it. */
export function TotpPage(props: {
  frame: Frame;
  email: string;
  secret: string;
  problems?: FieldProblem[];
}) {
  const { frame, email, secret, problems } = props;
  return (
    <Shell title={totp.title} frame={frame} section="account">
      <PageHead title={totp.title} up={ACCOUNT} />
      <p>{totp.scan}</p>
      <p>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(qrCodeOf(totpAddress(secret, email)))}`}
          width="200"
          height="200"
          alt={totp.qr}
        />
      </p>
      <p>{totp.type}</p>
      <Copyable id="totp-secret" text={secret} />
      <ActionForm action="/account/totp" {...(problems && { problems })}>
        <input type="hidden" name="secret" value={secret} />
        <Field
          name="code"
          label={totp.code}
          autocomplete="one-time-code"
          inputmode="numeric"
          problems={problems}
          required
        />
        <Actions>
          <Button>{totp.add}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws a QR code as SVG, in lines from left to right: a square for each module takes five times the bytes. */
function qrCodeOf(text: string): string {
  const { data, size } = encode(text, { border: 2 });
  const lines = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? 'x' : ' ')).join('');
    return [...modules.matchAll(/x+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}`);
  });
  const sheet = `<path fill="#fff" d="M0-.5h${size}v${size}H0z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -.5 ${size} ${size}">${sheet}<path stroke="#000" d="${lines.join('')}"/></svg>`;
}

/** Draws new recovery codes: the only page that ever shows them. */
export function RecoveryCodesPage({ frame, codes }: { frame: Frame; codes: string[] }) {
  return (
    <Shell title={totp.codesTitle} frame={frame} section="account">
      <PageHead title={totp.codesTitle} up={ACCOUNT} />
      <p>{totp.codesHint}</p>
      <Copyable id="recovery-codes" text={codes.join('\n')} />
      <Actions>
        <LinkButton href="/account" kind="primary">
          {totp.codesDone}
        </LinkButton>
      </Actions>
    </Shell>
  );
}

/**
 * Draws the part of the page about oneself that says whether codes are asked for, and how many recovery
 * codes are left.
 */
export function Factors({ isOn, codesLeft }: { isOn: boolean; codesLeft: number }) {
  return (
    <section>
      <h2>{totp.title}</h2>
      <p>{isOn ? totp.on(codesLeft) : totp.off}</p>
      {isOn ? (
        <Actions>
          <form method="post" action="/account/totp/codes">
            <Button kind="plain">{totp.renew}</Button>
          </form>
          <form method="post" action="/account/totp/remove">
            <Button kind="danger">{totp.remove}</Button>
          </form>
        </Actions>
      ) : (
        <Actions>
          <LinkButton href="/account/totp">{totp.begin}</LinkButton>
        </Actions>
      )}
    </section>
  );
}
