import type { FormFields } from '../../forms/model/form-fields.js';
import { byteSize, beginningOf } from '../../platform/index.js';
import { lineLabel, type AnswerLine, type EmbeddedFile } from '../../submissions/model/preview.js';
import { State, ExternalLink, Icon } from '../parts/index.js';
import { submissionWords } from './words.js';
import { SameSender } from './triage.js';

/** Values of a submission. */
export interface ValuesProps {
  answers: readonly AnswerLine[];
  /** Labels of the fields, and their order. */
  labels: FormFields;
  files: FileShown[];
}

/** A file, with what a scan for viruses found. */
export interface FileShown {
  id: string;
  field: string;
  name: string;
  bytes: number;
  isImage: boolean;
  /** Null unless it is infected. */
  virus: string | null;
  /** Whether nobody can open it. */
  isLocked: boolean;
  /** Whether a scan was to be made, and was not yet. */
  isUnscanned: boolean;
}

/** Longer values are scrolled in their own box, so that what follows stays within reach; in characters. */
const LONG = 2_000;

/** A value of the first field is a letter from this length on; a longer one than `LINE` takes the whole width; in characters. */
const LETTER = 12;
const LINE = 60;
/** Values that have a button which copies them. */
const COPIED = 50;

/** The most that the page shows of a value, in characters; a link leads to all of it. */
const VALUE_MAX = 20_000;
/**
 * The most that the page shows of all values, in characters: a million that HTML has names for take a tenth of a
 * second to write, in which nobody else is served. Those that are no longer than `SHORT` are shown beyond it.
 */
const VALUES_MAX = 250_000;
const SHORT = 200;

/**
 * Draws the values and files of a submission.
 * @param props.here address of the submission
 * @param props.looked what tells that its pictures are part of a look; null where looks are not recorded
 */
export function Values(props: ValuesProps & { here: string; looked: string | null }) {
  const { labels, files, here, looked } = props;
  const look = looked === null ? '' : `?${new URLSearchParams({ look: looked }).toString()}`;
  const more = look.replace('?', '&');
  const message = labels.list.find(({ kind }) => kind === 'long_text') ?? labels.list[0];
  return (
    <dl class="values">
      {shownOf(props).map(({ label, length, position, ...line }) => (
        <div class={line.name === message?.name && length >= LETTER ? 'letter' : length > LINE ? 'wide' : undefined}>
          <dt title={line.name}>
            {label}
            {position <= COPIED && !line.embedded && <CopyButton position={position} label={label} />}
          </dt>
          {line.embedded ? (
            <dd>
              <Embedded {...{ label, ...line.embedded }} href={`${here}/value/file?at=${position}${more}`} />
            </dd>
          ) : line.text.length === length ? (
            <dd dir="auto" {...(length > LONG && { class: 'long', tabindex: 0 })}>
              <span id={`v-${position}`}>
                <Value text={line.text} />
              </span>{' '}
              <SameSender {...line} />
            </dd>
          ) : (
            <>
              <dd dir="auto" class="long" tabindex={0}>{`${line.text}…`}</dd>
              <dd>
                <a class="hint" href={`${here}/value?at=${position}${more}`}>
                  The first {line.text.length.toLocaleString('en')} characters. Show all {length.toLocaleString('en')}
                </a>
              </dd>
            </>
          )}
        </div>
      ))}
      {files.map((file) => (
        <div>
          <dt title={file.field}>{labels.labelOf(file.field)}</dt>
          <dd>
            <FileLink file={file} here={here} /> <span class="hint">{byteSize(file.bytes)}</span>
            <Scan {...file} />
            {file.isImage && (
              <img
                class="thumbnail"
                src={`${here}/files/${file.id}/image${look}`}
                alt={submissionWords.imageOf(plainName(file.name))}
                width="160"
                height="120"
                loading="lazy"
                decoding="async"
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Draws a file that was sent as text; a picture as one. */
function Embedded({ label, type, size, isPicture, href }: EmbeddedFile & { label: string; href: string }) {
  return (
    <>
      <a href={href} {...(!isPicture && { download: '' })}>
        <Icon name="paperclip" /> {isPicture ? 'Image' : type}
      </a>{' '}
      <span class="hint">{byteSize(size)}</span>
      {isPicture && (
        <img
          class="thumbnail"
          src={href}
          alt={submissionWords.imageOf(label)}
          width="160"
          height="120"
          loading="lazy"
          decoding="async"
        />
      )}
    </>
  );
}

/** Draws the name of a file, which a locked one has no link at. */
function FileLink({ file, here }: { file: FileShown; here: string }) {
  const name = (
    <>
      <Icon name="paperclip" /> <bdi>{plainName(file.name)}</bdi>
    </>
  );
  return file.isLocked ? (
    <span>{name}</span>
  ) : (
    <a href={`${here}/files/${file.id}`} download>
      {name}
    </a>
  );
}

/** Says that a file is infected, or was not scanned yet. */
function Scan({ virus, isLocked, isUnscanned }: FileShown) {
  if (virus !== null) {
    return (
      <p>
        <State kind="bad">
          This file is infected ({virus}). {isLocked ? 'We keep it locked.' : 'Someone unlocked it.'}
        </State>
      </p>
    );
  }
  return isUnscanned ? <p class="hint">Not scanned for viruses yet.</p> : null;
}

/** Draws a button that copies a value; the script shows it. */
function CopyButton({ position, label }: { position: number; label: string }) {
  return (
    <button type="button" class="copy" data-copy={`v-${position}`} aria-label={`Copy ${label}`} hidden>
      <Icon name="copy" />
    </button>
  );
}

/** An answer as far as the page shows it. */
interface ShownAnswer extends AnswerLine {
  label: string;
  /** Length of its whole text, in characters. */
  length: number;
  /** Among the values as they were sent; the first has 1. */
  position: number;
}

/** Returns the answers in the order of their form, the longest of them cut. */
function shownOf({ answers, labels }: ValuesProps): ShownAnswer[] {
  const numbered = answers.map((answer, index) => ({ ...answer, position: index + 1 }));
  let left = VALUES_MAX;
  return labels.sorted(numbered).map((line) => {
    const text = beginningOf(line.text, Math.max(SHORT, Math.min(VALUE_MAX, left)));
    left -= text.length;
    const label = lineLabel(labels.labelOf(line.name), line.path);
    return { ...line, text, label, length: line.text.length };
  });
}

/** Returns the name of a file as its letters stand: marks of direction would have `fdp.exe` read `exe.pdf`. */
function plainName(name: string) {
  return name.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '');
}

function Value({ text }: { text: string }) {
  if (text === '') return <span class="quiet">–</span>;
  if (/^[^\s@<>()]{1,64}@[^\s@<>()]{1,190}$/.test(text)) {
    return <a href={`mailto:${encodeURIComponent(text).replace('%40', '@')}`}>{text}</a>;
  }
  return /^https?:\/\/\S{1,2000}$/i.test(text) ? <ExternalLink href={text} /> : <>{text}</>;
}
