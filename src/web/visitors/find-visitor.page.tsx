import { layoutWords } from '../layout/words.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Button, Field } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { Shell, useFrame } from '../layout/shell.js';
import { visitorWords } from './words.js';

/** Asks for the address of a visitor; after an erasure it has the receipt. */
export function FindVisitorPage(props: {
  email: string;
  problems: FieldProblem[];
  receipt: string | null;
}) {
  const { email, problems } = props;
  // Without the sentence of an erasure, the address is one that anybody may have written.
  const receipt = useFrame().flash === 'visitor_erased' ? props.receipt : null;
  return (
    <Shell title={visitorWords.title} section="inbox">
      <PageHead title={visitorWords.title} up={{ href: '/inbox', label: layoutWords.nav.inbox }} />
      {receipt !== null && (
        <Notice kind="good">
          <p>
            {visitorWords.receipt}: <code>{receipt}</code>
          </p>
          <p>{visitorWords.receiptHint}</p>
        </Notice>
      )}
      <p class="hint">{visitorWords.hint}</p>
      <form class="filter" action="/visitors" novalidate>
        <Field
          name="email"
          label={visitorWords.email}
          type="email"
          value={email}
          maxlength={254}
          autocomplete="off"
          problems={problems}
        />
        <Button>{visitorWords.find}</Button>
      </form>
    </Shell>
  );
}
