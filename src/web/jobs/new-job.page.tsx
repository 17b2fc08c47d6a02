import { layoutWords } from '../layout/words.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { ActionForm, Actions, Button, LinkButton } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { jobWords } from './words.js';
import { partWords } from '../parts/words.js';
import { inboxAddress } from '../addresses/folders.js';
import { JobFacts } from './job-facts.js';

interface NewJobPageProps {
  line: string;
  changes: BulkChanges;
  /** Name of the person that it assigns to; null for nobody. */
  assignee: string | null;
  /** The fields that send the changes. */
  fields: [name: string, value: string][];
  /** How many match, or when it is not exact, at least. */
  total: { count: number; isExact: boolean };
}

/** Draws the question before all submissions that match are changed. */
export function NewJobPage({ line, changes, assignee, fields, total }: NewJobPageProps) {
  const back = inboxAddress(line);
  const isNothing = total.isExact && total.count === 0;
  return (
    <Shell title={jobWords.newTitle} section="inbox">
      <PageHead title={jobWords.newTitle} up={{ href: back, label: layoutWords.nav.inbox }} />
      <div class="panel">
        <div class="body job">
          <JobFacts
            line={line}
            changes={changes}
            assignee={assignee}
            more={[[jobWords.matching, jobWords.counted(total.count, total.isExact)]]}
          />
          <p class="hint">{isNothing ? jobWords.nothing : jobWords.hint}</p>
          <ActionForm action="/jobs">
            <input type="hidden" name="q" value={line} />
            {fields.map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <Actions>
              {!isNothing && <Button>{jobWords.go(total.isExact ? total.count : null)}</Button>}
              <LinkButton href={back}>{partWords.cancel}</LinkButton>
            </Actions>
          </ActionForm>
        </div>
      </div>
    </Shell>
  );
}
