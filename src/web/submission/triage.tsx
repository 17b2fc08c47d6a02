import { Line, type PartProps } from './head.js';
import { statusesOf } from '../../forms/model/form-values.js';
import { splitAtMentions } from '../../triage/notes/mentions.js';
import { filterPart } from '../../submissions/filter/filter-line.js';
import { innerName, isAddressField, type Answer } from '../../submissions/model/preview.js';
import type { FieldProblem } from '../../platform/index.js';
import { ActionForm, Button, Field, Select, Time, Section, textOf, type Typed } from '../parts/index.js';
import { rowWords, optionsOf, type AssigneeProps } from '../rows/submission-table.js';
import { visitorPath, inboxAddress } from '../addresses/folders.js';

/** A note as its submission shows it. */
interface NoteShown {
  id: string;
  author: string;
  at: Date;
  text: string;
  /** Text after each `@` that mentions a person. */
  mentions: string[];
  mayRemove: boolean;
}

export interface TriageProps extends PartProps {
  tags: string[];
  notes: NoteShown[];
  /** Refused input, with the broken rules. */
  typed?: Typed;
  problems?: FieldProblem[];
}

/** Leads to all that came with the same e-mail address, over all forms. */
export function SameSender({ name, path: inside, text }: Answer) {
  const path = isAddressField(innerName({ name, path: inside })) ? visitorPath(text) : null;
  if (path === null) return null;
  return (
    <a class="hint" href={path}>
      More from this sender
    </a>
  );
}

/** Draws the statuses of the form, and lets the reader choose the one of the submission. */
export function Status({ here, line, form, mayTriage, ...given }: TriageProps) {
  const statuses = statusesOf(form);
  if (statuses.length === 0) return null;
  const has = statuses.filter((status) => given.tags.includes(status));
  return (
    <Section title="Status">
      <div id="status" data-fresh>
        <ActionForm action={`${here}/tags`} class="chips">
          <Line line={line} />
          <input type="hidden" name="shown" value={has.join(', ')} />
          {statuses.map((status) => (
            <button
              class="chip"
              name="tags"
              value={has.includes(status) ? '' : status}
              aria-pressed={has.includes(status)}
              disabled={!mayTriage}
            >
              {status}
            </button>
          ))}
        </ActionForm>
      </div>
    </Section>
  );
}

/** Draws the tags of a submission that are no statuses, each of which leads to all that has it. */
export function Tags({ here, line, form, mayTriage, typed, problems, ...given }: TriageProps) {
  const statuses = statusesOf(form);
  const tags = given.tags.filter((tag) => !statuses.includes(tag));
  if (tags.length === 0 && !mayTriage) return null;
  const text = typed && 'tags' in typed ? textOf(typed, 'tags') : tags.join(', ');
  return (
    <Section title="Tags">
      <div id="tags" data-fresh>
        {tags.length > 0 && (
          <p class="chips">
            {tags.map((tag) => (
              <a class="chip" dir="auto" href={inboxAddress(filterPart('tag', tag))}>
                {tag}
              </a>
            ))}
          </p>
        )}
      </div>
      {mayTriage && (
        <ActionForm action={`${here}/tags`} class="filter">
          <Line line={line} />
          <input
            type="hidden"
            name="shown"
            value={typed && 'shown' in typed ? textOf(typed, 'shown') : tags.join(', ')}
          />
          <Field name="tags" label="Tags, separated by commas" value={text} autocomplete="off" problems={problems} />
          <Button kind="plain">Save</Button>
        </ActionForm>
      )}
    </Section>
  );
}

/** Draws the notes on a submission, oldest first, and a field for another. */
export function Notes(props: TriageProps & Pick<AssigneeProps, 'choices' | 'me'>) {
  const { here, line, notes, mayTriage, typed, problems } = props;
  const others = props.choices.filter(({ id }) => id !== props.me);
  if (notes.length === 0 && !mayTriage) return null;
  return (
    <Section
      title="Notes"
      hint={
        props.isOfClient
          ? 'Visible to your team and to the team that runs this service for you, never to visitors.'
          : 'Visible to your team and to clients who see this form, never to visitors.'
      }
    >
      <div id="notes" data-fresh aria-live="polite">
        {notes.map(({ id, author, at, text, mentions, mayRemove }) => (
          <article class="note">
            <p class="hint">
              {author}, <Time at={at} />
            </p>
            <p class="text" dir="auto">
              {splitAtMentions(text, mentions).map((part) =>
                part.label === null ? part.text : <mark class="mention">{part.text}</mark>,
              )}
            </p>
            {mayRemove && (
              <ActionForm action={`${here}/notes/${id}/delete`}>
                <Line line={line} />
                <Button kind="plain">Remove</Button>
              </ActionForm>
            )}
          </article>
        ))}
      </div>
      {mayTriage && (
        <ActionForm action={`${here}/notes`}>
          <Line line={line} />
          <Field name="note.text" label="Add a note" rows={3} value={textOf(typed, 'note.text')} problems={problems} />
          {others.length > 0 && (
            <Select
              name="mention"
              label="Notify someone (or type @name)"
              value={textOf(typed, 'mention')}
              options={[
                { value: '', label: rowWords.nobody },
                ...optionsOf(others, null).filter(({ value }) => value !== ''),
              ]}
            />
          )}
          <Button kind="plain">Add note</Button>
        </ActionForm>
      )}
    </Section>
  );
}
