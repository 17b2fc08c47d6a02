import { filterPart } from '../../submissions/filter/filter-line.js';
import { ActionForm, Button, Select, Icon, Age, Section } from '../parts/index.js';
import { inboxAddress, submissionAddress } from '../addresses/folders.js';
import type { ListedMarks, Marks } from '../../triage/marks/triage.service.js';
import { assetUrl } from '../assets/assets.js';
import { useFrame } from '../layout/shell.js';

/** Words of rows of submissions. */
export const rowWords = {
  form: 'Form',
  pages: 'Pages',
  newest: 'Newest',
  older: 'Older',
  noValues: '(nothing filled in)',
  unread: 'unread',
  starred: 'Starred',
  answered: 'Answered',
  done: 'Done',
  nobody: 'Nobody',
  somebody: 'Somebody else',
} as const;

/** Words of the keys of the inbox. */
export const keyWords = {
  title: 'Keyboard shortcuts',
  list: [
    ['j', 'Next row or submission'],
    ['k', 'Previous row or submission'],
    ['[', 'Previous form'],
    [']', 'Next form'],
    ['o', 'Open'],
    ['x', 'Select'],
    ['e', 'Done'],
    ['s', 'Star'],
    ['u', 'Unread'],
    ['!', 'Spam'],
    ['#', 'Trash'],
    ['t', 'Tag'],
    ['a', 'Assign'],
    ['m', 'Assign to me'],
    ['.', 'Show new submissions'],
    ['z', 'Undo'],
    ['/', 'Search'],
    ['Esc', 'Back to the list'],
    ['Ctrl K', 'Go to a form, view or page'],
    ['?', 'Show this list'],
  ],
  switchOff: 'Turn off keyboard shortcuts',
  switchOn: 'Turn on keyboard shortcuts',
} as const;

/** A person to choose. */
export interface Choice {
  id: number;
  name: string;
  email: string;
}

export interface AssigneeProps {
  /** Null for nobody; `email` is null for somebody who is not known here. */
  assignee: { id: number | null; name: string; email: string | null } | null;
  choices: Choice[];
  /** The id of who looks; null for who is not among the choices. */
  me: number | null;
}

/** Returns the options of a choice: oneself first, and nobody last. */
export function optionsOf(choices: readonly Choice[], me: number | null) {
  const named = (person: Choice) => {
    const twin = choices.some(({ id, name }) => id !== person.id && name === person.name);
    return { value: String(person.id), label: twin ? `${person.name} (${person.email})` : person.name };
  };
  return [
    ...choices.filter(({ id }) => id === me).map(({ id, name }) => ({ value: String(id), label: `${name} (you)` })),
    ...choices.filter(({ id }) => id !== me).map(named),
    { value: '', label: rowWords.nobody },
  ];
}

/** Draws to whom a submission is assigned, and a choice of others. */
export function Assignee(props: AssigneeProps & { here: string; line: string | null; mayTriage: boolean }) {
  const { assignee, choices, me, here, line, mayTriage } = props;
  if (assignee === null && !mayTriage) return null;
  return (
    <Section title="Assigned to">
      {assignee !== null && (
        <p class="chips">
          {assignee.email === null ? (
            <span class="chip">{assignee.name}</span>
          ) : (
            <a class="chip" dir="auto" href={inboxAddress(filterPart('assigned', assignee.email))}>
              {assignee.name}
            </a>
          )}
        </p>
      )}
      {mayTriage && (
        <ActionForm action={`${here}/assignee`} class="filter">
          {line !== null && <input type="hidden" name="q" value={line} />}
          <Select name="person" label="Assignee" value={String(assignee?.id ?? '')} options={optionsOf(choices, me)} />
          <Button kind="plain">Assign</Button>
          {me !== null && me !== assignee?.id && (
            <Button kind="plain" icon="user" name="me" value={String(me)}>
              Assign to me
            </Button>
          )}
        </ActionForm>
      )}
    </Section>
  );
}

/** Tags of a row; the others are counted, since a row is one line. */
const TAGS_SHOWN = 2;

/** A submission as lists show it. */
export interface InboxRow extends Omit<ListedMarks, 'assigneeId'> {
  id: string;
  form: { name: string; identifier: string };
  receivedAt: Date;
  /** The values that tell who it is from, and the beginning of the others. */
  from: string;
  rest: string[];
  /** The visitor's address, where the name stands for it. */
  address?: string;
  files: number;
  /** Whether what it causes is withheld until somebody has looked at it. */
  held: boolean;
  /** Whether it waits for its visitor to confirm it. */
  waits: boolean;
  /** Whether a mail or a call that it caused failed. */
  failed: boolean;
  /** Name of the person that it is assigned to; null for nobody. */
  assignee: string | null;
}

/**
 * Draws submissions, one a row; the row is the link. What is unread is bold and says so.
 * @param props.line the filter that the list is of, which the links carry on
 */
export function SubmissionTable(props: {
  rows: InboxRow[];
  caption: string;
  line: string;
  showForm?: boolean;
  /** Gives each row a box; for a list inside of `Bulk`. */
  selectable?: boolean;
}) {
  return (
    <div class="panel">
      <table class="submissions">
        <caption>{props.caption}</caption>
        <colgroup>
          <col class="col-who" />
          <col />
          {props.showForm && <col class="col-form" />}
          <col class="col-when" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Content</th>
            {props.showForm && <th scope="col">{rowWords.form}</th>}
            <th scope="col" class="number">
              Received
            </th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <Row {...row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(row: InboxRow & { line: string; showForm?: boolean; selectable?: boolean }) {
  return (
    <tr class={row.read ? undefined : 'unread'}>
      <th scope="row">
        <div class="sender">
          {row.selectable && (
            <input
              class="above select"
              type="checkbox"
              name="id"
              value={row.id}
              aria-label={`Select: ${row.from === '' ? rowWords.noValues : row.from}`}
            />
          )}
          <a
            class="row"
            id={`s-${row.id}`}
            dir="auto"
            title={row.address}
            href={submissionAddress(row.form.identifier, row.id, row.line)}
          >
            {!row.read && <span class="unread-mark">{`${rowWords.unread} `}</span>}
            {row.from === '' ? rowWords.noValues : row.from}
          </a>
          {row.held && (
            <span class="chip held" title="Possible spam. Emails and the webhook are on hold until you approve it.">
              <Icon name="shield-alert" /> Held
            </span>
          )}
          {row.waits && (
            <span
              class="chip waits"
              title="The visitor has not confirmed it yet. Emails and the webhook wait for that."
            >
              <Icon name="clock" /> Not confirmed
            </span>
          )}
          {row.failed && (
            <span class="sign failed" title="An email or webhook call for it failed.">
              <Icon name="circle-x" />
              <span>Not delivered</span>
            </span>
          )}
          <Signs {...row} />
          {row.assignee !== null && (
            <span class="chip assignee" dir="auto" title={`Assigned to ${row.assignee}`}>
              <Icon name="user" /> {row.assignee}
            </span>
          )}
          {row.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <span class="chip" dir="auto">
              {tag}
            </span>
          ))}
          {row.tags.length > TAGS_SHOWN && <span class="chip">{`+${row.tags.length - TAGS_SHOWN}`}</span>}
        </div>
      </th>
      <td class="wide">
        <span class="preview" dir={directionOf(row.rest[0])}>
          {row.files > 0 && (
            <>
              <Icon name="paperclip" /> {row.files === 1 ? 'one file' : `${row.files} files`}
              {row.rest.length > 0 && ' · '}
            </>
          )}
          {row.rest.map((text, at) => (
            <>
              {at > 0 && ' · '}
              <bdi>{text}</bdi>
            </>
          ))}
        </span>
      </td>
      {row.showForm && (
        <td class="quiet short">
          <bdi>{row.form.name}</bdi>
        </td>
      )}
      <td class="number quiet">
        <Age at={row.receivedAt} />
      </td>
    </tr>
  );
}

/** Returns the direction of a text by its first letter, so that a line of it is cut at its end. */
function directionOf(text = '') {
  const [letter = ''] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
    ? 'rtl'
    : undefined;
}

function Signs({ starred, answered, done }: Marks) {
  return (
    <>
      {starred && (
        <span class="sign starred" title={rowWords.starred}>
          <Icon name="star" />
          <span>{rowWords.starred}</span>
        </span>
      )}
      {answered && (
        <span class="sign answered" title={rowWords.answered}>
          <Icon name="mail-check" />
          <span>{rowWords.answered}</span>
        </span>
      )}
      {done && (
        <span class="sign done" title={rowWords.done}>
          <Icon name="check" />
          <span>{rowWords.done}</span>
        </span>
      )}
    </>
  );
}

/** Lists the keys of the inbox, which the script opens; without script there are none. */
export function Keys() {
  const { person, seenAs } = useFrame();
  return (
    <>
      <script src={assetUrl('inbox.js')} type="module" />
      <dialog id="keys" aria-labelledby="keys-title" data-off={person?.keysOff === true ? '' : undefined}>
        <h2 id="keys-title">{keyWords.title}</h2>
        <dl class="keys">
          {keyWords.list.map(([key, what]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        {seenAs === null && (
          <p>
            <a href="/account#keys">{person?.keysOff ? keyWords.switchOn : keyWords.switchOff}</a>
          </p>
        )}
        <form method="dialog">
          <button type="submit" class="button plain" autofocus>
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}
