import type { FieldLabels } from '../../forms/field-labels.js';
import type { Answer } from '../../submissions/values/preview.js';
import { Icon } from '../layout/icon.js';
import { ExternalLink } from '../layout/links.js';
import { words } from '../words.js';
import { SameSender } from './triage.js';

/** What a visitor sent. */
export interface ValuesProps {
  answers: Answer[];
  /** What the fields are called, and their order. */
  labels: FieldLabels;
  files: { id: string; field: string; name: string; bytes: number; isImage: boolean }[];
}

/** Longer values are scrolled in their own box, so that what follows stays within reach; in characters. */
const LONG = 2_000;

/**
 * Draws the values and files of a submission.
 * @param props.here address of the submission
 * @param props.looked what tells that its pictures are part of a look; null where looks are not recorded
 */
export function Values(props: ValuesProps & { here: string; looked: string | null }) {
  const { answers, labels, files, here, looked } = props;
  const look = looked === null ? '' : `?${new URLSearchParams({ look: looked }).toString()}`;
  return (
    <dl class="panel values">
      {labels.sorted(answers).map(({ name, text }) => (
        <div>
          <dt title={name}>{labels.of(name)}</dt>
          <dd dir="auto" {...(text.length > LONG && { class: 'long', tabindex: 0 })}>
            <Value text={text} /> <SameSender name={name} text={text} />
          </dd>
        </div>
      ))}
      {files.map((file) => (
        <div>
          <dt title={file.field}>{labels.of(file.field)}</dt>
          <dd>
            <a href={`${here}/files/${file.id}`} download>
              <Icon name="paperclip" /> {file.name}
            </a>{' '}
            <span class="hint">{words.submission.size(file.bytes)}</span>
            {file.isImage && (
              <img
                class="thumbnail"
                src={`${here}/files/${file.id}/image${look}`}
                alt={words.submission.imageOf(file.name)}
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

function Value({ text }: { text: string }) {
  if (text === '') return <span class="quiet">–</span>;
  if (/^[^\s@<>()]{1,64}@[^\s@<>()]{1,190}$/.test(text)) {
    return <a href={`mailto:${encodeURIComponent(text).replace('%40', '@')}`}>{text}</a>;
  }
  return /^https?:\/\/\S{1,2000}$/i.test(text) ? <ExternalLink href={text} /> : <>{text}</>;
}
