import { ROLES } from '../../access/roles.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import {
  ActionForm,
  Actions,
  Button,
  Check,
  Field,
  LinkButton,
  Select,
} from '../parts/controls.js';
import { Copyable, Notice, PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { PEOPLE } from './people.page.js';

const { people } = words;

export interface InvitePageProps {
  frame: Frame;
  typed: { name: string; email: string; role: string; send: boolean };
  problems: FieldProblem[];
}

/** Draws the page that asks whom to invite, and as what. */
export function InvitePage({ frame, typed, problems }: InvitePageProps) {
  return (
    <Shell title={people.invite} frame={frame} section="people">
      <PageHead title={people.invite} up={PEOPLE} />
      <p>{people.inviteHint}</p>
      <ActionForm action="/people" problems={problems}>
        <InviteeFields typed={typed} problems={problems} />
        <Select
          name="person.role"
          label={people.role}
          value={typed.role}
          options={ROLES.map((role) => ({ value: role, label: people.roles[role] }))}
        />
        <Check name="person.send" label={people.send} hint={people.sendHint} checked={typed.send} />
        <Actions>
          <Button icon="user-plus">{people.invite}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws the fields that say who is invited. */
export function InviteeFields(props: {
  typed: { name: string; email: string };
  problems: FieldProblem[];
}) {
  const { typed, problems } = props;
  return (
    <>
      <Field
        name="person.name"
        label={people.name}
        value={typed.name}
        autocomplete="off"
        problems={problems}
        required
      />
      <Field
        name="person.email"
        label={people.email}
        type="email"
        value={typed.email}
        autocomplete="off"
        problems={problems}
        required
      />
    </>
  );
}

/** Draws the link of an invitation: the only page that ever shows it. */
export function InvitationLinkPage(props: {
  frame: Frame;
  name: string;
  link: string;
  up: { href: string; label: string };
}) {
  const { frame, name, link, up } = props;
  return (
    <Shell title={people.linkTitle} frame={frame} section="people">
      <PageHead title={people.linkTitle} up={up} />
      <Notice kind="warn">
        <p>{people.linkHint(name)}</p>
      </Notice>
      <Copyable id="link" text={link} />
      <LinkButton href={up.href} kind="primary" icon="check">
        {people.linkDone}
      </LinkButton>
    </Shell>
  );
}
