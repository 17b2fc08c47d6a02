import type { OpenInvitation } from '../../people/invitations/acceptances.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { withoutPasskey } from '../parts/passkey-button.js';
import { FirstPasskey } from './first-passkey.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** Draws the form that takes the secret behind the `#` of an invitation's link, or asks to paste it. */
export function AskInvitationPage({ frame }: { frame: Frame }) {
  return (
    <Shell title={words.invitation.title} frame={frame}>
      <PageHead title={words.invitation.title} />
      <ActionForm action="/invitation">
        <div data-fragment>
          <Field
            name="invitation"
            label={words.invitation.code}
            hint={words.invitation.codeHint}
            autocomplete="off"
            required
          />
        </div>
        <Actions>
          <Button>{words.invitation.open}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws an invitation and the form that accepts it. */
export function InvitationPage(props: {
  frame: Frame;
  secret: string;
  open: OpenInvitation;
  /** Whether a person is signed in, who then accepts as themselves. */
  isSignedIn: boolean;
  hasPasskeys: boolean;
  name?: string;
  problems?: FieldProblem[];
}) {
  const { frame, secret, open, isSignedIn, problems } = props;
  const { email } = open.invitation;
  const isNew = !isSignedIn && !open.isKnown;
  return (
    <Shell title={words.invitation.title} frame={frame}>
      <PageHead title={words.invitation.title} />
      <p>{words.invitation.into(open.accountName)}</p>
      {!isSignedIn && open.isKnown ? (
        <>
          <p>{words.invitation.known(email)}</p>
          <Actions>
            <LinkButton href="/sign-in?next=/invitation">{words.invitation.signIn}</LinkButton>
          </Actions>
        </>
      ) : (
        <ActionForm action="/invitation/accept" problems={withoutPasskey(problems)}>
          <input type="hidden" name="invitation" value={secret} />
          {isNew && (
            <>
              <p>{words.invitation.as(email)}</p>
              <input type="hidden" name="email" value={email} autocomplete="username" />
              <Field
                name="name"
                label={words.setup.name}
                autocomplete="name"
                value={props.name ?? open.invitation.name}
                problems={problems}
                required
              />
              {props.hasPasskeys && <FirstPasskey problems={problems} />}
              <Field
                name="password"
                label={words.setup.newPassword}
                hint={words.setup.passwordHint}
                type="password"
                autocomplete="new-password"
                problems={problems}
                required
              />
            </>
          )}
          <Actions>
            <Button>{words.invitation.accept}</Button>
          </Actions>
        </ActionForm>
      )}
    </Shell>
  );
}
