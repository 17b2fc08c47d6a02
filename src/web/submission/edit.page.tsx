import type { FormFields } from '../../forms/model/form-fields.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Shell } from '../layout/shell.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { submissionWords } from './words.js';
import { fieldSent, type FieldTyped } from './edit.js';

/** A value from this length on has lines of its own, in characters, and how many it has at most. */
const LINE = 60;

const ROWS_MAX = 12;

export interface EditPageProps {
  /** Address of the submission, without its filter. */
  here: string;
  /** Address to go back to. */
  back: string;
  /** The filter that it was opened from; null for none. */
  line: string | null;
  labels: FormFields;
  fields: FieldTyped[];
  problems: FieldProblem[];
}

/** Draws the values of a submission to be changed. */
export function EditPage({ here, back, line, labels, fields, problems }: EditPageProps) {
  const { edit } = submissionWords;
  const numbered = fields.map((field, at) => ({ ...field, at }));
  const labelOf = (path: string) =>
    labels.labelOf(fields[Number(path.split('.')[1])]?.name ?? path);
  return (
    <Shell title={edit.title} section="inbox">
      <div class="page">
        <h1>{edit.title}</h1>
        <p class="hint">The activity keeps the old values. Nobody is notified.</p>
        <ActionForm action={`${here}/edit`} problems={problems} labelOf={labelOf}>
          {line !== null && <input type="hidden" name="q" value={line} />}
          {/* In the order of their numbers, by which the names of the inputs are read. */}
          {fields.map((field) => (
            <input type="hidden" name="field" value={fieldSent(field)} />
          ))}
          {labels.sorted(numbered).map(({ name, kind, text, at }) =>
            text === null ? (
              <div class="field">
                <p>{labels.labelOf(name)}</p>
                <p class="hint">This page cannot edit this value. Use the API.</p>
              </div>
            ) : (
              <Field
                name={`values.${at}`}
                label={labels.labelOf(name)}
                hint={kind === 'text' ? undefined : edit.kinds[kind]}
                value={text}
                rows={rowsOf(text, kind)}
                dir="auto"
              />
            ),
          )}
          <Actions>
            <Button>Save changes</Button>
            <LinkButton kind="plain" href={back}>
              Cancel
            </LinkButton>
          </Actions>
        </ActionForm>
      </div>
    </Shell>
  );
}

function rowsOf(text: string, kind: FieldTyped['kind']): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE), 0);
  const least = kind === 'text' && lines === 1 ? 1 : 2;
  return Math.min(Math.max(lines + (lines > 1 ? 1 : 0), least), ROWS_MAX);
}
