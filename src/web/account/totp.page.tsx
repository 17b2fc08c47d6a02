import { encode } from 'uqr';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { totpAddress } from '../../people/credentials/totp.js';
import { Copyable, PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Shell } from '../layout/shell.js';
import { accountWords, totpWords } from './words.js';
const ACCOUNT = { href: '/account', label: accountWords.title };

/** Gives an authenticator app its secret, and asks for a code to be sure that it has it. */
export function TotpPage(props: { email: string; secret: string; problems?: FieldProblem[] }) {
  const { email, secret, problems } = props;
  return (
    <Shell title={totpWords.title} section="account">
      <PageHead title={totpWords.title} up={ACCOUNT} />
      <p>{totpWords.scan}</p>
      <p>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(qrCodeOf(totpAddress(secret, email)))}`}
          width="200"
          height="200"
          alt={totpWords.qr}
        />
      </p>
      <p>{totpWords.type}</p>
      <Copyable id="totp-secret" text={secret} />
      <ActionForm action="/account/totp" {...(problems && { problems })}>
        <input type="hidden" name="secret" value={secret} />
        <Field
          name="code"
          label={totpWords.code}
          autocomplete="one-time-code"
          inputmode="numeric"
          problems={problems}
          required
        />
        <Actions>
          <Button>{totpWords.add}</Button>
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
export function RecoveryCodesPage({ codes }: { codes: string[] }) {
  return (
    <Shell title={totpWords.codesTitle} section="account">
      <PageHead title={totpWords.codesTitle} up={ACCOUNT} />
      <p>{totpWords.codesHint}</p>
      <Copyable id="recovery-codes" text={codes.join('\n')} />
      <Actions>
        <LinkButton href="/account" kind="primary">
          {totpWords.codesDone}
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
      <h2>{totpWords.title}</h2>
      <p>{isOn ? totpWords.on(codesLeft) : totpWords.off}</p>
      {isOn ? (
        <Actions>
          <form method="post" action="/account/totp/codes">
            <Button kind="plain">{totpWords.renew}</Button>
          </form>
          <form method="post" action="/account/totp/remove">
            <Button kind="danger">{totpWords.remove}</Button>
          </form>
        </Actions>
      ) : (
        <Actions>
          <LinkButton href="/account/totp">{totpWords.begin}</LinkButton>
        </Actions>
      )}
    </section>
  );
}
