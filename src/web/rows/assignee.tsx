import { filterPart } from '../../submissions/filter/filter-line.js';
import { ActionForm, Button, Select } from '../parts/controls.js';
import { rowWords } from './words.js';
import { inboxAddress } from '../addresses/folders.js';

/** A person to choose. */
export interface Choice {
  id: number;
  name: string;
  email: string;
}

export interface AssigneeProps {
  /** Null for nobody; `email` is null for somebody who is not known here. */
  assignee: { id: number | null; name: string; email: string | null } | null;
  choices: Choice[];
  /** The id of who looks; null for who is not among the choices. */
  me: number | null;
}

/** Returns the options of a choice: oneself first, and nobody last. */
export function optionsOf(choices: readonly Choice[], me: number | null) {
  const named = (person: Choice) => {
    const twin = choices.some(({ id, name }) => id !== person.id && name === person.name);
    return {
      value: String(person.id),
      label: twin ? `${person.name} (${person.email})` : person.name,
    };
  };
  return [
    ...choices
      .filter(({ id }) => id === me)
      .map(({ id, name }) => ({ value: String(id), label: rowWords.myself(name) })),
    ...choices.filter(({ id }) => id !== me).map(named),
    { value: '', label: rowWords.nobody },
  ];
}

/** Draws to whom a submission is assigned, and a choice of others. */
export function Assignee(
  props: AssigneeProps & { here: string; line: string | null; mayTriage: boolean },
) {
  const { assignee, choices, me, here, line, mayTriage } = props;
  if (assignee === null && !mayTriage) return null;
  return (
    <section>
      <h2>{rowWords.assignee}</h2>
      {assignee !== null && (
        <p class="chips">
          {assignee.email === null ? (
            <span class="chip">{assignee.name}</span>
          ) : (
            <a class="chip" dir="auto" href={inboxAddress(filterPart('assigned', assignee.email))}>
              {assignee.name}
            </a>
          )}
        </p>
      )}
      {mayTriage && (
        <ActionForm action={`${here}/assignee`} class="filter">
          {line !== null && <input type="hidden" name="q" value={line} />}
          <Select
            name="person"
            label={rowWords.assigneeLabel}
            value={String(assignee?.id ?? '')}
            options={optionsOf(choices, me)}
          />
          <Button kind="plain">{rowWords.saveAssignee}</Button>
          {me !== null && me !== assignee?.id && (
            <Button kind="plain" icon="user" name="me" value={String(me)}>
              {rowWords.assignToMe}
            </Button>
          )}
        </ActionForm>
      )}
    </section>
  );
}
