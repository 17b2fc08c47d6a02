import type { OpenInvitation } from '../../people/invitations/acceptances.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { withoutPasskey } from '../parts/passkey-button.js';
import { FirstPasskey } from './first-passkey.js';
import { Shell } from '../layout/shell.js';
import { invitationWords, setupWords } from './words.js';

/** Draws the form that takes the secret behind the `#` of an invitation's link, or asks to paste it. */
export function AskInvitationPage() {
  return (
    <Shell title={invitationWords.title}>
      <PageHead title={invitationWords.title} />
      <ActionForm action="/invitation">
        <div data-fragment>
          <Field
            name="invitation"
            label={invitationWords.code}
            hint={invitationWords.codeHint}
            autocomplete="off"
            required
          />
        </div>
        <Actions>
          <Button>{invitationWords.open}</Button>
        </Actions>
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
  const { email } = open.invitation;
  const isNew = !isSignedIn && !open.isKnown;
  return (
    <Shell title={invitationWords.title}>
      <PageHead title={invitationWords.title} />
      <p>{invitationWords.into(open.accountName)}</p>
      {!isSignedIn && open.isKnown ? (
        <>
          <p>{invitationWords.known(email)}</p>
          <Actions>
            <LinkButton href="/sign-in?next=/invitation">{invitationWords.signIn}</LinkButton>
          </Actions>
        </>
      ) : (
        <ActionForm action="/invitation/accept" problems={withoutPasskey(problems)}>
          <input type="hidden" name="invitation" value={secret} />
          {isNew && (
            <>
              <p>{invitationWords.as(email)}</p>
              <input type="hidden" name="email" value={email} autocomplete="username" />
              <Field
                name="name"
                label={setupWords.name}
                autocomplete="name"
                value={props.name ?? open.invitation.name}
                problems={problems}
                required
              />
              {props.hasPasskeys && <FirstPasskey problems={problems} />}
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
          )}
          <Actions>
            <Button>{invitationWords.accept}</Button>
          </Actions>
        </ActionForm>
      )}
    </Shell>
  );
}
