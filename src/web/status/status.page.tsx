import { Empty, PageHead } from '../layout/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { WarningNotice, type FormWarning } from '../forms/warning.js';

/** A form that does not do all that its owner thinks. */
interface TroubleShown {
  name: string;
  identifier: string;
  warnings: FormWarning[];
}

export interface StatusPageProps {
  frame: Frame;
  troubles: TroubleShown[];
  mayChange: boolean;
}

/** Draws what needs attention: first what holds for the whole service, then form by form. */
export function StatusPage({ frame, troubles, mayChange }: StatusPageProps) {
  const { status } = words;
  const everywhere = troubles.filter(({ warnings }) => warnings.some(isOfService));
  const byForm = troubles
    .map((trouble) => ({
      ...trouble,
      warnings: trouble.warnings.filter((warning) => !isOfService(warning)),
    }))
    .filter(({ warnings }) => warnings.length > 0);
  const [ofService] = everywhere.flatMap(({ warnings }) => warnings.filter(isOfService));
  return (
    <Shell title={status.title} frame={frame} section="status">
      <PageHead title={status.title} />
      {troubles.length === 0 && (
        <Empty icon="circle-check" title={status.fineTitle}>
          <p>{status.fine}</p>
        </Empty>
      )}
      {ofService && (
        <section>
          <h2>{status.service}</h2>
          <WarningNotice {...ofService} identifier="" mayChange={false} />
          <p class="hint">{status.concerned(everywhere.length)}</p>
        </section>
      )}
      {byForm.map(({ name, identifier, warnings }) => (
        <section>
          <h2>
            <a href={`/forms/${identifier}`}>{name}</a>
          </h2>
          {warnings.map((warning) => (
            <WarningNotice {...warning} identifier={identifier} mayChange={mayChange} />
          ))}
        </section>
      ))}
    </Shell>
  );
}

/** Whether only the operator can mend it, for all forms at once. */
function isOfService({ code }: FormWarning): boolean {
  return code === 'mail_not_configured';
}
