import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Check, Field } from '../parts/controls.js';
import { Copyable, PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';

/** Words of the branding of an account. */
const brandWords = {
  title: 'Branding',
  hint: 'Clients see your branding on their pages and their sign-in page, and visitors on the thank-you page.',
  name: 'Name',
  nameHint: 'The name of your studio or company.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG or WebP, up to 100 kB.',
  logoNow: 'Current logo',
  removeLogo: 'Remove logo',
  colour: 'Color',
  colourHint:
    'For buttons and links, such as #0a7d6b or teal. We darken or lighten it where text would be hard to read.',
  replyTo: 'Reply-to address',
  replyToHint: 'Replies to emails to visitors go here, unless the form has its own sender address.',
  email: 'Default recipient',
  emailHint: 'Gets emails about submissions of forms without recipients.',
  save: 'Save changes',
  signIn: 'Sign-in page for clients',
  signInOf: 'Sign-in page',
  signInHintOf: (client: string) =>
    `People of ${client} sign in here. The page shows the look of the client, or yours where it has none.`,
  signInHint: 'This sign-in page shows your name, logo and color. Share it with your clients.',
} as const;

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
    <Shell title={brandWords.title} section="brand">
      <PageHead title={brandWords.title} />
      <p>{brandWords.hint}</p>
      <ActionForm action="/brand" problems={problems} upload submit={brandWords.save}>
        <Field
          name="account.name"
          label={brandWords.name}
          hint={brandWords.nameHint}
          value={typed.name}
          problems={problems}
          required
        />
        <LogoField logoPath={logoPath} problems={problems} />
        <Field
          name="brand.colour"
          label={brandWords.colour}
          hint={brandWords.colourHint}
          value={typed.colour}
          problems={problems}
        />
        <Field
          name="brand.reply_to"
          label={brandWords.replyTo}
          hint={brandWords.replyToHint}
          type="email"
          value={typed.replyTo}
          problems={problems}
        />
        <Field
          name="account.email"
          label={brandWords.email}
          hint={brandWords.emailHint}
          type="email"
          value={typed.email}
          problems={problems}
        />
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
      <h2>{of === undefined ? brandWords.signIn : brandWords.signInOf}</h2>
      <p class="hint">{of === undefined ? brandWords.signInHint : brandWords.signInHintOf(of)}</p>
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
          <img class="logo" src={logoPath} alt={brandWords.logoNow} />
        </p>
      )}
      <Field
        name="brand.logo"
        label={brandWords.logo}
        hint={brandWords.logoHint}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        problems={problems}
      />
      {logoPath !== null && <Check name="remove_logo" label={brandWords.removeLogo} />}
    </>
  );
}
