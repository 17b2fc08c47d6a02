import { ACTIONS, type Action } from '../../access/roles.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, LinkButton } from '../parts/controls.js';
import { PageHead, State } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { KeepOut, MemberSessions, RemoveMember, type SessionShown } from '../people/member.page.js';
import { InviteeFields } from '../people/invite.page.js';
import { SeeAs } from '../people/people.page.js';
import { clientPeopleWords, peopleWords } from '../people/words.js';

/** Somebody who acts for a client. */
export interface ClientPersonRow {
  id: number;
  name: string;
  email: string;
  actions: readonly Action[];
  isDisabled: boolean;
}

/** Draws the people of a client on its page, with what each may do. */
export function ClientPeople(props: { here: string; rows: ClientPersonRow[]; mayInvite: boolean }) {
  const { here, rows, mayInvite } = props;
  return (
    <section class="apart">
      <h2>{clientPeopleWords.title}</h2>
      <p class="hint">{clientPeopleWords.hint}</p>
      {rows.length > 0 && (
        <div class="panel">
          <table>
            <caption>{clientPeopleWords.title}</caption>
            <thead>
              <tr>
                <th scope="col">{peopleWords.name}</th>
                <th scope="col">{peopleWords.email}</th>
                <th scope="col">{clientPeopleWords.may}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, name, email, actions, isDisabled }) => (
                <tr>
                  <th scope="row">
                    <a class="row" href={`${here}/people/${id}`}>
                      {name}
                    </a>
                  </th>
                  <td class="quiet">{email}</td>
                  <td class="quiet" data-label={clientPeopleWords.may}>
                    {actions.map((action) => clientPeopleWords.short[action]).join(', ')}
                    {isDisabled && (
                      <>
                        {' '}
                        <State kind="warn">{peopleWords.disabled}</State>
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {mayInvite && (
        <LinkButton href={`${here}/new-person`} icon="user-plus">
          {peopleWords.invite}
        </LinkButton>
      )}
    </section>
  );
}

function ActionBoxes({ ticked }: { ticked: readonly string[] }) {
  return (
    <fieldset>
      <legend>{clientPeopleWords.may}</legend>
      <p class="hint">{clientPeopleWords.seeHint}</p>
      <div>
        {ACTIONS.filter((action) => action !== 'see').map((action) => (
          <Check
            name="person.actions"
            value={action}
            label={clientPeopleWords.actions[action]}
            checked={ticked.includes(action)}
          />
        ))}
      </div>
    </fieldset>
  );
}

export interface InviteClientPersonPageProps {
  client: { id: number; name: string };
  typed: { name: string; email: string; actions: readonly string[]; send: boolean };
  problems: FieldProblem[];
}

/** Draws the page that asks whom to invite to a client, and what for. */
export function InviteClientPersonPage(props: InviteClientPersonPageProps) {
  const { client, typed, problems } = props;
  const here = `/clients/${client.id}`;
  return (
    <Shell title={peopleWords.invite} section="clients">
      <PageHead title={peopleWords.invite} up={{ href: here, label: client.name }} />
      <p>{peopleWords.inviteHint}</p>
      <ActionForm action={`${here}/people`} problems={problems}>
        <InviteeFields typed={typed} problems={problems} />
        <ActionBoxes ticked={typed.actions} />
        <Check
          name="person.send"
          label={peopleWords.send}
          hint={peopleWords.sendHint}
          checked={typed.send}
        />
        <Actions>
          <Button icon="user-plus">{peopleWords.invite}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws a person of a client: what they may do, where they are signed in, and the way out. */
export function ClientPersonPage(props: {
  client: { id: number; name: string };
  person: ClientPersonRow;
  sessions: SessionShown[];
}) {
  const { client, person, sessions } = props;
  const here = `/clients/${client.id}/people/${person.id}`;
  return (
    <Shell title={person.name} section="clients">
      <PageHead title={person.name} up={{ href: `/clients/${client.id}`, label: client.name }} />
      <p>{person.email}</p>
      <ActionForm action={here}>
        <ActionBoxes ticked={person.actions} />
        <KeepOut isDisabled={person.isDisabled} />
      </ActionForm>
      <MemberSessions here={here} sessions={sessions} mayEnd />
      {!person.isDisabled && <SeeAs here={here} name={person.name} />}
      <RemoveMember here={here} name={person.name} />
    </Shell>
  );
}
