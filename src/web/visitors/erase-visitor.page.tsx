import { byteSize } from '../../platform/kernel/byte-size.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { VisitorTraces } from '../../search/visitors/visitors.service.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { partWords } from '../parts/words.js';
import { visitorWords } from './words.js';

/** Shows what goes when a person is erased, and asks for the address once more. */
export function EraseVisitorPage(props: {
  email: string;
  /** Path of what was sent under the address. */
  path: string;
  traces: VisitorTraces;
  problems: FieldProblem[];
}) {
  const { email, path, traces, problems } = props;
  return (
    <Shell title={visitorWords.erase} section="inbox">
      <PageHead title={visitorWords.erase} up={{ href: path, label: email }} />
      <Preview traces={traces} />
      <Notice kind="warn">
        <p>{visitorWords.stays}</p>
      </Notice>
      <ActionForm action={`${path}/erase`} problems={problems}>
        <Field
          name="typed_email"
          label={visitorWords.type(email)}
          autocomplete="off"
          inputmode="email"
          problems={problems}
        />
        <Actions>
          <Button kind="danger" icon="trash-2">
            {visitorWords.go}
          </Button>
          <LinkButton href={path}>{partWords.cancel}</LinkButton>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws how many submissions go from each form, and what goes with them. */
function Preview({ traces }: { traces: VisitorTraces }) {
  const { files, fileBytes } = traces;
  const others = [
    [files === 0 ? visitorWords.noFiles : visitorWords.files(byteSize(fileBytes)), traces.files],
    [visitorWords.notes, traces.notes],
    [visitorWords.mails, traces.mails],
    [visitorWords.webhookCalls, traces.webhookCalls],
  ] as const;
  return (
    <div class="panel">
      <table class="amounts">
        <caption>{visitorWords.goes}</caption>
        <thead>
          <tr>
            <th scope="col">{visitorWords.what}</th>
            <th scope="col" class="number">
              {visitorWords.count}
            </th>
          </tr>
        </thead>
        <tbody>
          {traces.forms.map(({ form, submissions }) => (
            <tr>
              <th scope="row">
                {visitorWords.form} “<bdi>{form.name}</bdi>”
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
