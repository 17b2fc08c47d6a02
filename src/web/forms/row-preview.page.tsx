import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { Preview } from '../../submissions/model/preview.js';
import { ActionForm, Actions, Button } from '../parts/controls.js';
import { Empty } from '../parts/content.js';
import { formWords } from './words.js';
import { rowWords } from '../rows/words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import type { FieldOffered } from './row-preview.js';

export interface RowPreviewPageProps {
  form: FormShown;
  fields: FieldOffered[];
  /** Previews of the newest submissions. */
  samples: Preview[];
  /** The fields that are shown because they tell most; empty with a choice, and before there is enough. */
  learnt: string[];
  problems: FieldProblem[];
}

/** Draws the fields of a form with their places in rows of the inbox, and what rows look like. */
export function RowPreviewPage(props: RowPreviewPageProps) {
  const { form, fields, samples, learnt, problems } = props;
  const { rows } = formWords;
  return (
    <FormShell form={form} title={rows.title} tab="settings" part="preview">
      <section>
        <h2>{rows.title}</h2>
        {fields.length === 0 ? (
          <Empty icon="clipboard-list" title={formWords.labels.emptyTitle}>
            <p>{formWords.labels.empty}</p>
          </Empty>
        ) : (
          <>
            <Samples samples={samples} />
            <ActionForm action={`/forms/${form.identifier}/preview`} problems={problems}>
              <p class="hint">{rows.hint}</p>
              {learnt.length > 0 && (
                <p class="hint">
                  {rows.learnt}{' '}
                  {learnt.map((name, at) => (
                    <>
                      {at > 0 && ', '}
                      <code dir="auto">{name}</code>
                    </>
                  ))}
                </p>
              )}
              <table class="labels">
                <thead>
                  <tr>
                    <th scope="col">{formWords.labels.field}</th>
                    <th scope="col">{rows.example}</th>
                    <th scope="col">{formWords.labels.place}</th>
                  </tr>
                </thead>
                <tbody>
                  {fields.map(({ name, example, place }) => (
                    <tr>
                      <th scope="row">
                        <code dir="auto">{name}</code>
                        <input type="hidden" name="name" value={name} />
                      </th>
                      <td class="quiet example" dir="auto">
                        {example}
                      </td>
                      <td class="field">
                        <input
                          name="place"
                          type="text"
                          inputmode="numeric"
                          value={place}
                          placeholder={formWords.labels.unplaced}
                          size={3}
                          maxlength={3}
                          aria-label={rows.placeOf(name)}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <Actions>
                <Button>{formWords.save}</Button>
                <Button kind="plain" name="chosen_for_me" value="true">
                  {rows.choose}
                </Button>
              </Actions>
            </ActionForm>
          </>
        )}
      </section>
    </FormShell>
  );
}

/** Draws the rows of the newest submissions as lists show them. */
function Samples({ samples }: { samples: Preview[] }) {
  const { rows } = formWords;
  if (samples.length === 0) return null;
  return (
    <section class="panel samples">
      <h2 class="hint">{rows.now}</h2>
      <ul>
        {samples.map(({ from, rest }) => (
          <li>
            <b dir="auto">{from === '' ? rowWords.noValues : from}</b>
            <span class="quiet">
              {rest.map((text, at) => (
                <>
                  {at > 0 && ' · '}
                  <bdi>{text}</bdi>
                </>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
