import type { ImportPreview } from '../../imports/import-preview.js';
import type { Import } from '../../imports/model/import.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { ImportedSubmission } from '../../submissions/storage/imported-submissions.service.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { ActionForm, Actions, Button } from '../parts/controls.js';
import { Notice, State } from '../parts/content.js';
import { Time } from '../parts/time.js';
import { importWords } from './words.js';
import { RowProblems, shortened } from './parts.js';
import { Reading } from './reading.js';

/** Most values of a submission that are shown. */
const VALUES_MAX = 12;

export interface ImportDraftPageProps {
  form: FormShown;
  entry: Import;
  preview: ImportPreview;
  /** Days that the form keeps submissions; null for ever. */
  retentionDays: number | null;
}

/** Draws what an import would do: counts, the first submissions, what is broken, and how the file is read. */
export function ImportDraftPage(props: ImportDraftPageProps) {
  const { form, entry, preview, retentionDays } = props;
  const text = importWords;
  const { imported, skipped, broken, spam, expired, total, isWhole, problem } = preview;
  const path = `/forms/${form.identifier}/import/${formatUuid(entry.id)}`;
  return (
    <FormShell form={form} title={text.title} tab="settings" part="import">
      <section>
        <h2 dir="auto">{entry.fileName ?? text.unnamed}</h2>
        <p>
          {text.ready(imported)}
          {spam > 0 && ` ${text.spam(spam)}`}
          {skipped > 0 && ` ${text.skipped(skipped)}`}
          {broken > 0 && ` ${text.broken(broken)}`}
        </p>
        {!isWhole && !problem && <p class="hint">{text.some(total)}</p>}
        {problem && (
          <Notice kind="bad">
            <p>{problem.message}</p>
          </Notice>
        )}
        {preview.notes.map(({ message, isQuestion }) => (
          <Notice kind={isQuestion ? 'warn' : 'good'}>
            <p dir="auto">{message}</p>
          </Notice>
        ))}
        {expired > 0 && retentionDays !== null && (
          <Notice kind="warn">
            <p>
              {text.expired(expired, retentionDays)}{' '}
              <a href={`/forms/${form.identifier}/retention`}>{text.toRetention}</a>
            </p>
          </Notice>
        )}
        <div class="buttons">
          {imported > 0 && (
            <ActionForm action={`${path}/start`}>
              <Button>{isWhole ? text.go(imported) : text.goAll}</Button>
            </ActionForm>
          )}
          {form.mayErase && (
            <ActionForm action={`${path}/undo`}>
              <Button kind="plain">{text.cancel}</Button>
            </ActionForm>
          )}
        </div>
      </section>
      <First rows={preview.first} />
      <RowProblems title={text.brokenTitle} rows={preview.brokenRows} all={broken} />
      <section>
        <h2>{text.reading}</h2>
        <ActionForm action={`${path}/reading`}>
          <Reading preview={preview} options={entry.options} />
          <Actions>
            <Button kind="plain">{text.apply}</Button>
          </Actions>
        </ActionForm>
      </section>
    </FormShell>
  );
}

function First({ rows }: { rows: readonly ImportedSubmission[] }) {
  const text = importWords;
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{text.first}</h2>
      <div class="panel">
        <table>
          <caption>{text.first}</caption>
          <thead>
            <tr>
              <th scope="col">{text.time}</th>
              <th scope="col">{text.values}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ createdAt, spam, values }) => (
              <tr>
                <th scope="row">
                  <Time at={createdAt} /> {spam && <State kind="bad">{text.isSpam}</State>}
                </th>
                <td data-label={text.values}>
                  {values
                    .toText()
                    .slice(0, VALUES_MAX)
                    .map(({ name, text: value }) => (
                      <div dir="auto">
                        <span class="hint">{shortened(name)}:</span> {shortened(value)}
                      </div>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
