import { byteSize } from '../../platform/kernel/byte-size.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { VisitorTraces } from '../../search/visitors/visitors.service.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** Shows what goes when a person is erased, and asks for the address once more. */
export function EraseVisitorPage(props: {
  frame: Frame;
  email: string;
  /** Path of what was sent under the address. */
  path: string;
  traces: VisitorTraces;
  problems: FieldProblem[];
}) {
  const { frame, email, path, traces, problems } = props;
  const { visitor } = words;
  return (
    <Shell title={visitor.erase} frame={frame} section="inbox">
      <PageHead title={visitor.erase} up={{ href: path, label: email }} />
      <Preview traces={traces} />
      <Notice kind="warn">
        <p>{visitor.stays}</p>
      </Notice>
      <ActionForm action={`${path}/erase`} problems={problems}>
        <Field
          name="typed_email"
          label={visitor.type(email)}
          autocomplete="off"
          inputmode="email"
          problems={problems}
        />
        <Actions>
          <Button kind="danger" icon="trash-2">
            {visitor.go}
          </Button>
          <LinkButton href={path}>{words.cancel}</LinkButton>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws how many submissions go from each form, and what goes with them. */
function Preview({ traces }: { traces: VisitorTraces }) {
  const { visitor } = words;
  const { files, fileBytes } = traces;
  const others = [
    [files === 0 ? visitor.noFiles : visitor.files(byteSize(fileBytes)), traces.files],
    [visitor.notes, traces.notes],
    [visitor.mails, traces.mails],
    [visitor.webhookCalls, traces.webhookCalls],
  ] as const;
  return (
    <div class="panel">
      <table class="amounts">
        <caption>{visitor.goes}</caption>
        <thead>
          <tr>
            <th scope="col">{visitor.what}</th>
            <th scope="col" class="number">
              {visitor.count}
            </th>
          </tr>
        </thead>
        <tbody>
          {traces.forms.map(({ form, submissions }) => (
            <tr>
              <th scope="row">
                {words.visitor.form} “<bdi>{form.name}</bdi>”
              </th>
              <td class="number">{submissions.toLocaleString('en')}</td>
            </tr>
          ))}
          {others.map(([label, count]) => (
            <tr>
              <th scope="row">{label}</th>
              <td class="number">{count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
