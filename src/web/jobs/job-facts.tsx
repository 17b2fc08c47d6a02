import type { ComponentChildren } from 'preact';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { jobWords } from './words.js';

/** Draws what a job is about: its filter, what it changes or makes, and more. */
export function JobFacts(props: {
  line: string;
  changes: BulkChanges;
  /** Format of an export; null for changes. */
  format?: string | null;
  /** Name of the person that it assigns to; null for nobody. */
  assignee: string | null;
  more: [label: string, content: ComponentChildren][];
}) {
  const facts: [string, ComponentChildren][] = [
    [jobWords.filter, props.line === '' ? jobWords.everything : <code>{props.line}</code>],
    props.format
      ? [jobWords.format, props.format]
      : [jobWords.what, textsOf(props.changes, props.assignee).join(', ')],
    ...props.more,
  ];
  return (
    <dl class="facts">
      {facts.map(([label, content]) => (
        <div>
          <dt class="hint">{label}</dt>
          <dd dir="auto">{content}</dd>
        </div>
      ))}
    </dl>
  );
}

function textsOf(changes: BulkChanges, name: string | null): string[] {
  const { addTag, removeTag, assignee, ...marks } = changes;
  const names = Object.keys(jobWords.changes) as (keyof typeof jobWords.changes)[];
  return [
    ...names
      .filter((name) => marks[name] !== undefined)
      .map((name) => jobWords.changes[name][marks[name] === true ? 1 : 0]),
    ...(addTag === undefined ? [] : [jobWords.addTag(addTag)]),
    ...(removeTag === undefined ? [] : [jobWords.removeTag(removeTag)]),
    ...(assignee === undefined ? [] : [jobWords.assign(name)]),
  ];
}
