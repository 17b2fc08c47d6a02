import { Fragment } from 'preact';
import { Confirm } from '../parts/confirm.js';
import { Copyable, Empty, Notice, PageHead, State } from '../parts/content.js';
import {
  Actions,
  ActionForm,
  Button,
  Check,
  Field,
  LinkButton,
  Select,
} from '../parts/controls.js';
import { ListTools } from '../parts/list-tools.js';
import { Shell, type Frame } from '../layout/shell.js';

/** Custom properties of colors, sizes and spaces, as base.css defines them. */
const COLORS = [
  ...['ground', 'surface', 'raised', 'ink', 'soft', 'line', 'edge'],
  ...['accent', 'on-accent', 'wash', 'good', 'warn', 'bad'],
] as const;
const SIZES = ['tiny', 'small', 'text', 'letter', 'large', 'huge'] as const;
const SPACES = [1, 2, 3, 4, 6, 8] as const;
const KINDS = ['good', 'warn', 'bad', 'quiet'] as const;

const PROBLEM = { field: 'sample', code: 'not_an_email', message: 'Must be an email address.' };

/** Draws every component once, with what each is for: the reference for whoever adds a page. */
export function StyleguidePage({ frame }: { frame: Frame }) {
  return (
    <Shell title="Style guide" frame={frame}>
      <div class="page sections">
        <PageHead title="Style guide">
          <LinkButton href="/inbox">Open the inbox</LinkButton>
        </PageHead>
        <section>
          <h2>Colors</h2>
          <p class="hint">
            Light and dark in one definition. Text takes ink or soft, never a color alone.
          </p>
          <ul class="swatches">
            {COLORS.map((name) => (
              <li class={`swatch-${name}`}>
                <span /> {name}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>Type</h2>
          <p class="hint">
            Six sizes. The page title is huge, a section large, what a visitor wrote letter.
          </p>
          {SIZES.map((name) => (
            <p class={`size-${name}`}>{name}: Do you bake for weddings?</p>
          ))}
        </section>
        <section>
          <h2>Space</h2>
          <p class="hint">Steps of 4 pixels. Sections stand 8 steps apart, parts of one 3.</p>
          {SPACES.map((steps) => (
            <Fragment>
              <span class={`space space-${steps}`} /> <span class="hint">{steps}</span>{' '}
            </Fragment>
          ))}
        </section>
        <section>
          <h2>Buttons</h2>
          <p class="hint">One primary button a page. A button is a verb, mostly with its object.</p>
          <div class="buttons">
            <Button>Save changes</Button>
            <Button kind="plain" icon="star">
              Star
            </Button>
            <Button kind="danger" icon="trash-2">
              Delete form
            </Button>
            <Confirm
              action="/styleguide"
              label="Erase"
              question="You can’t undo this."
              go="Erase"
            />
          </div>
        </section>
        <section>
          <h2>Fields</h2>
          <ActionForm action="/styleguide" problems={[PROBLEM]}>
            <Field
              name="sample"
              label="Email"
              hint="Only you see it."
              value="jane"
              problems={[PROBLEM]}
            />
            <Field name="long" label="Message" rows={3} value="" />
            <Select
              name="zone"
              label="Frequency"
              value="daily"
              options={[{ value: 'daily', label: 'Daily' }]}
            />
            <Check
              name="box"
              label="Email me about each submission"
              hint="At most one a minute."
              checked
            />
            <Actions>
              <Button kind="plain">Save</Button>
            </Actions>
          </ActionForm>
        </section>
        <section>
          <h2>States and notices</h2>
          <p>
            {KINDS.map((kind) => (
              <>
                <State kind={kind}>{kind}</State>{' '}
              </>
            ))}
          </p>
          {(['good', 'warn', 'bad'] as const).map((kind) => (
            <Notice kind={kind}>
              <p>A notice says what happened and what to do.</p>
            </Notice>
          ))}
        </section>
        <section>
          <h2>Lists</h2>
          <ListTools action="/styleguide" label="Search forms" q="" />
          <div class="panel">
            <table>
              <caption>Forms</caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col" class="number">
                    Submissions
                  </th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">Contact</th>
                  <td class="number">12</td>
                </tr>
              </tbody>
            </table>
          </div>
          <Empty icon="inbox" title="You’re all caught up">
            <p>An empty list says one friendly sentence and the next step.</p>
          </Empty>
          <Copyable id="sample-code" text="npm ci && npm start" />
        </section>
      </div>
    </Shell>
  );
}
