import type { FieldProblem } from '../../platform/index.js';
import { ActionForm, Check, Field, Copyable, Section } from '../parts/index.js';
import { Page } from '../layout/shell.js';

export interface BrandPageProps {
  typed: { name: string; email: string; replyTo: string; colour: string };
  /** Path of the present logo; null without one. */
  logoPath: string | null;
  /** Address of the sign-in page that looks like the account. */
  signInUrl: string;
  problems: FieldProblem[];
}

/** Draws the name, the logo and the colour of an account, and where its mails go. */
export function BrandPage({ typed, logoPath, signInUrl, problems }: BrandPageProps) {
  return (
    <Page title="Branding" section="brand">
      <p>Clients see your branding on their pages and their sign-in page, and visitors on the thank-you page.</p>
      <ActionForm action="/brand" problems={problems} upload submit="Save changes">
        <Field
          name="account.name"
          label="Name"
          hint="The name of your studio or company."
          value={typed.name}
          required
        />
        <LogoField logoPath={logoPath} />
        <Field
          name="brand.colour"
          label="Color"
          hint="For buttons and links, such as #0a7d6b or teal. We darken or lighten it where text would be hard to read."
          value={typed.colour}
        />
        <Field
          name="brand.reply_to"
          label="Reply-to address"
          hint="Replies to emails to visitors go here, unless the form has its own sender address."
          type="email"
          value={typed.replyTo}
        />
        <Field
          name="account.email"
          label="Default recipient"
          hint="Gets emails about submissions of forms without recipients."
          type="email"
          value={typed.email}
        />
      </ActionForm>
      <SignInAddress url={signInUrl} />
    </Page>
  );
}

/**
 * Draws the address that people of clients sign in at.
 * @param of name of the client; all of them without
 */
export function SignInAddress({ url, of }: { url: string; of?: string }) {
  return (
    <Section
      title={of === undefined ? 'Sign-in page for clients' : 'Sign-in page'}
      hint={
        of === undefined
          ? 'This sign-in page shows your name, logo and color. Share it with your clients.'
          : `People of ${of} sign in here. The page shows the look of the client, or yours where it has none.`
      }
    >
      <Copyable id="sign-in-address" text={url} />
    </Section>
  );
}

/** Draws the field of a logo, with the present one. */
export function LogoField({ logoPath }: Pick<BrandPageProps, 'logoPath'>) {
  return (
    <>
      {logoPath !== null && (
        <p>
          <img class="logo" src={logoPath} alt="Current logo" />
        </p>
      )}
      <Field
        name="brand.logo"
        label="Logo"
        hint="PNG, JPEG or WebP, up to 100 kB."
        type="file"
        accept="image/png,image/jpeg,image/webp"
      />
      {logoPath !== null && <Check name="remove_logo" label="Remove logo" />}
    </>
  );
}
