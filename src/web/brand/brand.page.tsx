import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { Copyable, PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

const { brand } = words;

export interface BrandPageProps {
  frame: Frame;
  typed: { name: string; email: string; replyTo: string; colour: string };
  /** Path of the present logo; null without one. */
  logoPath: string | null;
  /** Address of the sign-in page that looks like the account. */
  signInUrl: string;
  problems: FieldProblem[];
}

/** Draws the name, the logo and the colour of an account, and where its mails go. */
export function BrandPage({ frame, typed, logoPath, signInUrl, problems }: BrandPageProps) {
  return (
    <Shell title={brand.title} frame={frame} section="brand">
      <PageHead title={brand.title} />
      <p>{brand.hint}</p>
      <ActionForm action="/brand" problems={problems} upload>
        <Field
          name="account.name"
          label={brand.name}
          hint={brand.nameHint}
          value={typed.name}
          problems={problems}
          required
        />
        <LogoField logoPath={logoPath} problems={problems} />
        <Field
          name="brand.colour"
          label={brand.colour}
          hint={brand.colourHint}
          value={typed.colour}
          problems={problems}
        />
        <Field
          name="brand.reply_to"
          label={brand.replyTo}
          hint={brand.replyToHint}
          type="email"
          value={typed.replyTo}
          problems={problems}
        />
        <Field
          name="account.email"
          label={brand.email}
          hint={brand.emailHint}
          type="email"
          value={typed.email}
          problems={problems}
        />
        <Actions>
          <Button>{brand.save}</Button>
        </Actions>
      </ActionForm>
      <SignInAddress url={signInUrl} />
    </Shell>
  );
}

/**
 * Draws the address that people of clients sign in at.
 * @param of name of the client; all of them without
 */
export function SignInAddress({ url, of }: { url: string; of?: string }) {
  return (
    <section>
      <h2>{of === undefined ? brand.signIn : brand.signInOf}</h2>
      <p class="hint">{of === undefined ? brand.signInHint : brand.signInHintOf(of)}</p>
      <Copyable id="sign-in-address" text={url} />
    </section>
  );
}

/** Draws the field of a logo, with the present one. */
export function LogoField({ logoPath, problems }: Pick<BrandPageProps, 'logoPath' | 'problems'>) {
  return (
    <>
      {logoPath !== null && (
        <p>
          <img class="logo" src={logoPath} alt={brand.logoNow} />
        </p>
      )}
      <Field
        name="brand.logo"
        label={brand.logo}
        hint={brand.logoHint}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        problems={problems}
      />
      {logoPath !== null && <Check name="remove_logo" label={brand.removeLogo} />}
    </>
  );
}
