import type { FieldProblem } from '../../platform/kernel/errors.js';
import { signInWords } from '../parts/content.js';
import { ActionForm, Actions, Field, LinkButton } from '../parts/controls.js';
import { withoutPasskey, PasskeyButton, PasskeyFailed } from '../parts/passkey-button.js';
import { Page, useFrame } from '../layout/shell.js';
import { setupWords, invitationWords, firstPasskeyWords } from './words.js';
import type { OpenInvitation } from '../../people/invitations/invitations.service.js';

/** Draws the form of the first owner. The code comes from behind the `#` of the link, or is pasted. */
export function SetupPage(props: {
  hasPasskeys: boolean;
  typed?: { code: string; email: string; name: string };
  problems?: FieldProblem[];
}) {
  const { typed, problems } = props;
  return (
    <Page title="Set up your account">
      <p>This link makes you the owner, with full access.</p>
      <ActionForm action="/setup" problems={withoutPasskey(problems)} submit="Set up account">
        <div data-fragment>
          <Field
            name="code"
            label="Setup code"
            hint="The part after # in the link from the console. It starts with fcs_setup_."
            autocomplete="off"
            value={typed?.code}
            required
          />
        </div>
        <Field
          name="email"
          label={signInWords.email}
          type="email"
          autocomplete="username"
          value={typed?.email}
          required
        />
        <NewPerson name={typed?.name} hasPasskeys={props.hasPasskeys} problems={problems} />
      </ActionForm>
    </Page>
  );
}

/** Draws the form that takes the secret behind the `#` of an invitation's link, or asks to paste it. */
export function AskInvitationPage() {
  const { brand } = useFrame();
  return (
    <Page title={invitationWords.title}>
      {brand && <p>{invitationWords.into(brand.name)}</p>}
      <ActionForm action="/invitation" submit="Continue">
        <div data-fragment="send">
          <Field
            name="invitation"
            label="Invitation code"
            hint="The part after # in your link. It starts with fcs_invitation_."
            autocomplete="off"
            required
          />
        </div>
      </ActionForm>
    </Page>
  );
}

/** Draws an invitation and the form that accepts it. */
export function InvitationPage(props: {
  secret: string;
  open: OpenInvitation;
  /** Whether a person is signed in, who then accepts as themselves. */
  isSignedIn: boolean;
  hasPasskeys: boolean;
  name?: string;
  problems?: FieldProblem[];
}) {
  const { secret, open, isSignedIn, problems } = props;
  const { email, inviter } = open.invitation;
  const isNew = !isSignedIn && !open.isKnown;
  return (
    <Page title={invitationWords.title}>
      <p>{invitationWords.into(open.accountName, inviter)}</p>
      {!isSignedIn && open.isKnown ? (
        <>
          <p>{email} already has an account. Sign in, then open the link again.</p>
          <Actions>
            <LinkButton href="/sign-in?next=/invitation">Sign in first</LinkButton>
          </Actions>
        </>
      ) : (
        <ActionForm
          action="/invitation/accept"
          problems={withoutPasskey(problems)}
          submit="Accept invitation"
        >
          <input type="hidden" name="invitation" value={secret} />
          {isNew && (
            <>
              <p>You will sign in as {email}.</p>
              <input type="hidden" name="email" value={email} autocomplete="username" />
              <NewPerson
                name={props.name ?? open.invitation.name}
                hasPasskeys={props.hasPasskeys}
                problems={problems}
              />
            </>
          )}
        </ActionForm>
      )}
    </Page>
  );
}

/** Asks somebody new for their name, and for a passkey or a password. */
function NewPerson(props: {
  name: string | undefined;
  hasPasskeys: boolean;
  problems: FieldProblem[] | undefined;
}) {
  const { name, hasPasskeys, problems } = props;
  return (
    <>
      <Field name="name" label="Your name" autocomplete="name" value={name} required />
      {hasPasskeys && <FirstPasskey problems={problems} />}
      <Field
        name="password"
        label="Password"
        hint={setupWords.passwordHint}
        type="password"
        autocomplete="new-password"
        required
      />
    </>
  );
}

/** Offers somebody new a passkey before a password, in the form that has their name and address. */
function FirstPasskey({ problems }: { problems: FieldProblem[] | undefined }) {
  return (
    <div class="first-passkey" data-with-passkeys hidden>
      <p class="hint">{firstPasskeyWords.what}</p>
      <div class="actions">
        <PasskeyButton act="first" options="/setup/passkey" kind="primary">
          Add a passkey
        </PasskeyButton>
      </div>
      <PasskeyFailed problems={problems} />
      <p>Or choose a password:</p>
    </div>
  );
}
