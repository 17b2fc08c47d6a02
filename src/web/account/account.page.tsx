import type { Place } from '../../people/places.service.js';
import type { SignedIn } from '../../people/sign-in.service.js';
import type { Session } from '../../sessions/session.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Notice, PageHead } from '../layout/content.js';
import { ActionForm, Actions, Button, Field } from '../layout/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../layout/time.js';
import { words } from '../words.js';
import { Factors } from './totp.page.js';

const { me } = words;

/** Shows who one is: where one acts, where one is signed in, and by what. */
export function AccountPage(props: {
  frame: Frame;
  signedIn: SignedIn;
  places: Place[];
  sessions: Session[];
  codesLeft: number;
  problems?: FieldProblem[];
}) {
  const { frame, signedIn, places, sessions, codesLeft, problems } = props;
  return (
    <Shell title={me.title} frame={frame} section="account">
      <PageHead title={me.title} />
      <p>
        {signedIn.person.name}, {signedIn.person.email}
      </p>
      <Places places={places} current={signedIn.membership?.id ?? null} />
      <Sessions sessions={sessions} current={signedIn.session} />
      <Factors isOn={signedIn.person.hasSecondFactor} codesLeft={codesLeft} />
      <section>
        <h2>{me.password}</h2>
        <ActionForm action="/account/password" {...(problems && { problems })}>
          <input
            type="hidden"
            name="username"
            value={signedIn.person.email}
            autocomplete="username"
          />
          <Field
            name="current"
            label={me.current}
            type="password"
            autocomplete="current-password"
            problems={problems}
            required
          />
          <Field
            name="password"
            label={me.next}
            hint={words.setup.passwordHint}
            type="password"
            autocomplete="new-password"
            problems={problems}
            required
          />
          <Actions>
            <Button>{me.changePassword}</Button>
          </Actions>
        </ActionForm>
      </section>
    </Shell>
  );
}

function Places({ places, current }: { places: Place[]; current: number | null }) {
  return (
    <section>
      <h2>{me.places}</h2>
      {places.length === 0 && <Notice kind="warn">{me.none}</Notice>}
      {places.map(({ membership, name }) => (
        <form method="post" action="/account/switch">
          <p>
            <strong>{name}</strong>{' '}
            <span class="hint">
              {membership.role === null ? me.client : me.roles[membership.role]}
            </span>
          </p>
          {membership.id === current ? (
            <p class="hint">{me.here}</p>
          ) : (
            <Button kind="plain" name="membership" value={String(membership.id)}>
              {me.goOn}
            </Button>
          )}
        </form>
      ))}
    </section>
  );
}

function Sessions({ sessions, current }: { sessions: Session[]; current: Session }) {
  return (
    <section>
      <h2>{me.sessions}</h2>
      {sessions.map((session) => (
        <form method="post" action="/account/sessions/end">
          <p>
            <strong>{session.userAgent}</strong>
            <br />
            <span class="hint">
              {me.ways[session.way]} · {me.from} {session.address} · {me.lastSeen}{' '}
              <Time at={session.lastSeenAt} />
            </span>
          </p>
          {session.id.equals(current.id) ? (
            <p class="hint">{me.thisOne}</p>
          ) : (
            <Button kind="plain" name="session" value={formatUuid(session.id)}>
              {me.end}
            </Button>
          )}
        </form>
      ))}
      {sessions.length > 1 && (
        <form method="post" action="/account/sessions/end-others">
          <Button kind="plain">{me.endOthers}</Button>
        </form>
      )}
    </section>
  );
}
