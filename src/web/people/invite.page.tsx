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
import { Shell } from '../layout/shell.js';
import { peopleWords } from './words.js';
import { PEOPLE } from './people.page.js';

export interface InvitePageProps {
  typed: { name: string; email: string; role: string; send: boolean };
  problems: FieldProblem[];
}

/** Draws the page that asks whom to invite, and as what. */
export function InvitePage({ typed, problems }: InvitePageProps) {
  return (
    <Shell title={peopleWords.invite} section="people">
      <PageHead title={peopleWords.invite} up={PEOPLE} />
      <p>{peopleWords.inviteHint}</p>
      <ActionForm action="/people" problems={problems}>
        <InviteeFields typed={typed} problems={problems} />
        <Select
          name="person.role"
          label={peopleWords.role}
          value={typed.role}
          options={ROLES.map((role) => ({ value: role, label: peopleWords.roles[role] }))}
        />
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
        label={peopleWords.name}
        value={typed.name}
        autocomplete="off"
        problems={problems}
        required
      />
      <Field
        name="person.email"
        label={peopleWords.email}
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
  name: string;
  link: string;
  up: { href: string; label: string };
}) {
  const { name, link, up } = props;
  return (
    <Shell title={peopleWords.linkTitle} section="people">
      <PageHead title={peopleWords.linkTitle} up={up} />
      <Notice kind="warn">
        <p>{peopleWords.linkHint(name)}</p>
      </Notice>
      <Copyable id="link" text={link} />
      <LinkButton href={up.href} kind="primary" icon="check">
        {peopleWords.linkDone}
      </LinkButton>
    </Shell>
  );
}
