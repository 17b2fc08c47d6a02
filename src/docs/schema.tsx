import type { Schema } from './api-document.js';
import { joined, Paragraphs, Prose } from './prose.js';

/** Draws an object of the document with its fields. */
export function SchemaObject({ name, schema }: { name: string; schema: Schema }) {
  const required = schema.required ?? [];
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{name}</h2>
      <Paragraphs text={schema.description ?? ''} />
      <dl>
        {Object.entries(schema.properties ?? {}).map(([field, inner]) => (
          <>
            <dt>
              <code>{field}</code>{' '}
              <small>
                <Type schema={inner} />
                {!required.includes(field) && ', may be left out'}
              </small>
            </dt>
            <dd>
              <Prose text={inner.description ?? ''} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** Draws the type in words, with links to the objects of the document. */
export function Type({ schema }: { schema: Schema }) {
  const { $ref, anyOf, allOf, items, format } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return <a href={`/api/docs/objects#${name}`}>{name}</a>;
  }
  const choices = anyOf ?? allOf;
  if (choices) {
    const types = choices.map((one) => <Type schema={one} />);
    return <>{joined(types, ' or ')}</>;
  }
  if (schema.enum) return <>{schema.enum.map((word) => JSON.stringify(word)).join(', ')}</>;
  if (items) {
    return (
      <>
        list of <Type schema={items} />
      </>
    );
  }
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return <>{`${type}${format === undefined ? '' : ` (${format})`}${rangeOf(schema)}`}</>;
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return '';
  return `, ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
}
