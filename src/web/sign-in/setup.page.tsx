import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead, signInWords } from '../parts/content.js';
import { ActionForm, Actions, Field, LinkButton } from '../parts/controls.js';
import { withoutPasskey, PasskeyButton, PasskeyFailed } from '../parts/passkey-button.js';
import { Shell, useFrame } from '../layout/shell.js';
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
    <Shell title={setupWords.title}>
      <PageHead title={setupWords.title} />
      <p>{setupWords.hint}</p>
      <ActionForm action="/setup" problems={withoutPasskey(problems)} submit={setupWords.go}>
        <div data-fragment>
          <Field
            name="code"
            label={setupWords.code}
            hint={setupWords.codeHint}
            autocomplete="off"
            value={typed?.code}
            problems={problems}
            required
          />
        </div>
        <Field
          name="email"
          label={signInWords.email}
          type="email"
          autocomplete="username"
          value={typed?.email}
          problems={problems}
          required
        />
        <NewPerson name={typed?.name} hasPasskeys={props.hasPasskeys} problems={problems} />
      </ActionForm>
    </Shell>
  );
}

/** Draws the form that takes the secret behind the `#` of an invitation's link, or asks to paste it. */
export function AskInvitationPage() {
  const { brand } = useFrame();
  return (
    <Shell title={invitationWords.title}>
      <PageHead title={invitationWords.title} />
      {brand && <p>{invitationWords.into(brand.name)}</p>}
      <ActionForm action="/invitation" submit={invitationWords.open}>
        <div data-fragment="send">
          <Field
            name="invitation"
            label={invitationWords.code}
            hint={invitationWords.codeHint}
            autocomplete="off"
            required
          />
        </div>
      </ActionForm>
    </Shell>
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
    <Shell title={invitationWords.title}>
      <PageHead title={invitationWords.title} />
      <p>{invitationWords.into(open.accountName, inviter)}</p>
      {!isSignedIn && open.isKnown ? (
        <>
          <p>{invitationWords.known(email)}</p>
          <Actions>
            <LinkButton href="/sign-in?next=/invitation">{invitationWords.signIn}</LinkButton>
          </Actions>
        </>
      ) : (
        <ActionForm
          action="/invitation/accept"
          problems={withoutPasskey(problems)}
          submit={invitationWords.accept}
        >
          <input type="hidden" name="invitation" value={secret} />
          {isNew && (
            <>
              <p>{invitationWords.as(email)}</p>
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
    </Shell>
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
      <Field
        name="name"
        label={setupWords.name}
        autocomplete="name"
        value={name}
        problems={problems}
        required
      />
      {hasPasskeys && <FirstPasskey problems={problems} />}
      <Field
        name="password"
        label={setupWords.newPassword}
        hint={setupWords.passwordHint}
        type="password"
        autocomplete="new-password"
        problems={problems}
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
          {firstPasskeyWords.makeFirst}
        </PasskeyButton>
      </div>
      <PasskeyFailed problems={problems} />
      <p>{firstPasskeyWords.orPassword}</p>
    </div>
  );
}
