import { LinkButton } from '../layout/controls.js';
import { Empty, Notice, PageHead } from '../layout/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** A form that does not do all that its owner thinks. */
export interface Trouble {
  name: string;
  identifier: string;
  warnings: string[];
}

/** Draws what needs attention, form by form, each with the way to mend it. */
export function StatusPage({ frame, troubles }: { frame: Frame; troubles: Trouble[] }) {
  const { status } = words;
  return (
    <Shell title={status.title} frame={frame} section="status">
      <PageHead title={status.title} />
      {troubles.length === 0 && (
        <Empty icon="circle-check" title={status.fineTitle}>
          <p>{status.fine}</p>
        </Empty>
      )}
      {troubles.map(({ name, identifier, warnings }) => (
        <section>
          <h2>
            <a href={`/forms/${identifier}`}>{name}</a>
          </h2>
          {warnings.map((warning) => (
            <Notice kind="warn">
              <p>{warning}</p>
            </Notice>
          ))}
          <LinkButton href={`/forms/${identifier}/settings`} icon="settings">
            {status.open}
          </LinkButton>
        </section>
      ))}
    </Shell>
  );
}
