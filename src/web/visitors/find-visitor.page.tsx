import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Button, Field } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** Asks for the address of a visitor; after an erasure it has the receipt. */
export function FindVisitorPage(props: {
  frame: Frame;
  email: string;
  problems: FieldProblem[];
  receipt: string | null;
}) {
  const { frame, email, problems, receipt } = props;
  const { visitor } = words;
  return (
    <Shell title={visitor.title} frame={frame} section="inbox">
      <PageHead title={visitor.title} up={{ href: '/inbox', label: words.inbox.title }} />
      {receipt !== null && (
        <Notice kind="good">
          <p>
            {visitor.receipt}: <code>{receipt}</code>
          </p>
          <p>{visitor.receiptHint}</p>
        </Notice>
      )}
      <p class="hint">{visitor.hint}</p>
      <form class="filter" action="/visitors" novalidate>
        <Field
          name="email"
          label={visitor.email}
          type="email"
          value={email}
          maxlength={254}
          autocomplete="off"
          problems={problems}
        />
        <Button>{visitor.find}</Button>
      </form>
    </Shell>
  );
}
