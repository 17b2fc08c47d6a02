import type { Member } from '../../people/members/members.service.js';
import type { Session } from '../../people/sessions/session.entity.js';
import { ActionForm, Actions, Button, Check, Select, Notice, Time, Section, Confirm } from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { accountWords } from '../account/passkeys.page.js';
import { peopleWords } from './words.js';
import { PEOPLE, SeeAs } from './people.page.js';

/** A member, and the changes that are allowed. */
export interface MemberPageProps {
  member: Member;
  /** Whether the person looks at themselves: nobody changes their own role. */
  isSelf: boolean;
  sessions: SessionShown[];
}

export type SessionShown = Pick<Session, 'way' | 'createdAt' | 'lastSeenAt'>;

/** Draws a member of the account: role, sessions, and the button that removes. */
export function MemberPage({ member, isSelf, sessions }: MemberPageProps) {
  const { id, name, email } = member.person;
  const { role, disabledAt } = member.membership;
  const isDisabled = disabledAt !== null;
  const here = `/people/${id}`;
  return (
    <Page title={name} section="people" up={PEOPLE}>
      <p>{email}</p>
      <div class="settings">
        {isSelf ? (
          <Notice kind="warn">
            <p>You cannot change your own role. Ask another owner.</p>
          </Notice>
        ) : (
          <Section title="Access">
            <ActionForm action={here}>
              <Select
                name="person.role"
                label={peopleWords.role}
                value={role ?? 'viewer'}
                options={peopleWords.roles}
              />
              <KeepOut isDisabled={isDisabled} />
            </ActionForm>
          </Section>
        )}
        <MemberSessions here={here} sessions={sessions} mayEnd={!isSelf} />
        {!isDisabled && role !== 'owner' && <SeeAs here={here} name={name} />}
        {!isSelf && <RemoveMember here={here} name={name} />}
      </div>
    </Page>
  );
}

/** Draws the end of the form that changes a person: the box that keeps them out, and the button. */
export function KeepOut({ isDisabled }: { isDisabled: boolean }) {
  return (
    <>
      <Check
        name="person.disabled"
        label="Suspend"
        hint="They cannot sign in here until you clear this box."
        checked={isDisabled}
      />
      <Actions>
        <Button>Save changes</Button>
      </Actions>
    </>
  );
}

/** Draws a person's sessions, and the button that ends them. */
export function MemberSessions(props: { here: string; sessions: SessionShown[]; mayEnd: boolean }) {
  const { here, sessions, mayEnd } = props;
  return (
    <Section title="Active sessions">
      {sessions.length === 0 ? (
        <p class="hint">No active sessions.</p>
      ) : (
        <ul class="lines">
          {sessions.map(({ way, createdAt, lastSeenAt }) => (
            <li>
              {accountWords.ways[way]} since <Time at={createdAt} />
              <br />
              <span class="hint">
                Last seen <Time at={lastSeenAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {mayEnd && sessions.length > 0 && (
        <form method="post" action={`${here}/sessions/end`}>
          <Button kind="plain" icon="log-out">
            Sign out on all devices
          </Button>
        </form>
      )}
    </Section>
  );
}

/** Draws the button that removes a person, which asks first. */
export function RemoveMember({ here, name }: { here: string; name: string }) {
  return (
    <Section class="apart" title={peopleWords.remove} hint="They lose access immediately. Their history stays.">
      <Confirm
        action={`${here}/remove`}
        label={peopleWords.remove}
        question={`Remove ${name}? They will need a new invitation to come back.`}
        go="Remove"
        icon="trash-2"
      />
    </Section>
  );
}
