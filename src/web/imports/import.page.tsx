import { byteSize } from '../../platform/kernel/byte-size.js';
import type { Import } from '../../imports/model/import.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { inboxOf } from '../addresses/folders.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { Confirm } from '../parts/confirm.js';
import { LinkButton } from '../parts/controls.js';
import { LiveRegion, Notice } from '../parts/content.js';
import { Time } from '../parts/time.js';
import { importWords } from './words.js';
import { jobWords } from '../jobs/words.js';
import { titleOf } from './imports.page.js';
import { ImportState, RowProblems } from './parts.js';

/** How often the page asks how far the import is, in seconds. */
const ASKED_EVERY_S = 2;

export interface ImportPageProps {
  form: FormShown;
  entry: Import;
}

/** Draws how far an import is, and what it did; by script it follows, without one by loading it again. */
export function ImportPage({ form, entry }: ImportPageProps) {
  const text = importWords;
  const { isOpen, state, progress, imported, skipped, broken, filesMissing } = entry;
  const { errorMessage, endedAt } = entry;
  const path = `/forms/${form.identifier}/import/${formatUuid(entry.id)}`;
  return (
    <FormShell form={form} title={text.title} tab="settings" part="import">
      <LiveRegion id="import" href={path} seconds={ASKED_EVERY_S} live={isOpen}>
        <h2 dir="auto">{entry.fileName ?? text.unnamed}</h2>
        <div class="panel">
          <div class="body job">
            <ImportState state={state} />
            {(state === 'waiting' || state === 'running') && (
              <>
                <progress aria-label={text.progress} max={1} value={progress} />
                <p class="hint">{text.percent(progress)}</p>
              </>
            )}
            <p>{text.result(imported)}</p>
            {skipped > 0 && <p class="hint">{text.skipped(skipped)}</p>}
            {broken > 0 && <p class="hint">{text.broken(broken)}</p>}
            {filesMissing > 0 && <p class="hint">{text.missing(filesMissing)}</p>}
            {errorMessage !== null && (
              <Notice kind="bad">
                <p>{errorMessage}</p>
              </Notice>
            )}
            <dl class="facts">
              <Fact label={text.provider}>{titleOf(entry.provider)}</Fact>
              <Fact label={text.size}>{byteSize(entry.fileBytes)}</Fact>
              <Fact label={text.by}>{entry.actorName}</Fact>
              <Fact label={text.begun}>
                <Time at={entry.createdAt} />
              </Fact>
              {endedAt && (
                <Fact label={jobWords.ended}>
                  <Time at={endedAt} />
                </Fact>
              )}
            </dl>
            {isOpen && <p class="hint">{text.running}</p>}
            <div class="buttons">
              {isOpen ? (
                <LinkButton href={path}>{text.refresh}</LinkButton>
              ) : (
                <LinkButton href={inboxOf(form.identifier)} kind="primary">
                  {text.toInbox}
                </LinkButton>
              )}
            </div>
          </div>
        </div>
        <RowProblems title={text.brokenTitle} rows={entry.brokenRows} all={broken} />
        <RowProblems title={text.missingTitle} rows={entry.missingFiles} all={filesMissing} />
      </LiveRegion>
      {form.mayErase && entry.mayBeUndone && (
        <Confirm
          action={`${path}/undo`}
          label={text.undo}
          question={text.undoQuestion(imported)}
          go={text.undoGo}
          icon="trash-2"
        />
      )}
    </FormShell>
  );
}

function Fact({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt class="hint">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
