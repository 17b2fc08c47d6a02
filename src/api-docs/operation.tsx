import type { ComponentChild } from 'preact';
import {
  type Schema,
  codesOf,
  type Answer,
  type ApiDocument,
  type Content,
  type Parameter,
  type Route,
} from './api-document.js';

/** Draws paragraphs, which an empty line sets apart; lines that begin with "- " are a list. */
function Paragraphs({ text }: { text: string }) {
  const blocks = text.split('\n\n').filter((block) => block !== '');
  return (
    <>
      {blocks.map((block) =>
        block.startsWith('- ') ? (
          <ul>
            {block.split('\n').map((line) => (
              <li>
                <Prose text={line.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p>
            <Prose text={block} />
          </p>
        ),
      )}
    </>
  );
}

/** Draws text with `code` in backticks. */
export function Prose({ text }: { text: string }) {
  const pieces = text.split('`');
  return <>{pieces.map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}</>;
}

/** Puts a word between elements. */
function joined(all: ComponentChild[], between: string) {
  return all.flatMap((one, index) => (index > 0 ? [between, one] : [one]));
}

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
function Type({ schema }: { schema: Schema }) {
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

function rangeOf({ minimum, maximum }: Schema) {
  if (minimum === undefined && maximum === undefined) return '';
  return `, ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
}

/** Draws an operation, folded to one line: what it takes and answers, and how curl calls it. */
export function OperationDetails(props: { route: Route; document: ApiDocument; baseUrl: string }) {
  const { route, document, baseUrl } = props;
  const { operationId, summary, method, path, description, parameters = [], requestBody } = route;
  return (
    <details class="operation">
      <summary>
        <b class={method}>{method.toUpperCase()}</b> <code>{path}</code> <span>{summary}</span>
      </summary>
      <article aria-labelledby={operationId}>
        <h2 id={operationId}>{summary}</h2>
        <Paragraphs text={description} />
        <pre tabindex={0}>
          <code>{curlOf(route, document, baseUrl)}</code>
        </pre>
        {parameters.length > 0 && (
          <>
            <h3>Parameters</h3>
            <dl>
              {parameters.map((parameter) => (
                <ParameterTerm {...parameter} />
              ))}
            </dl>
          </>
        )}
        {requestBody && (
          <>
            <h3>Body</h3>
            <p>
              <ContentTypes content={requestBody.content} />
            </p>
          </>
        )}
        <h3>Answers</h3>
        <dl>
          {Object.entries(route.responses).map(([status, answer]) => (
            <AnswerTerm status={status} answer={answer} document={document} />
          ))}
        </dl>
      </article>
    </details>
  );
}

function ParameterTerm(parameter: Parameter) {
  const { name, in: place, required, description = '', schema = {} } = parameter;
  return (
    <>
      <dt>
        <code>{name}</code>{' '}
        <small>
          <Type schema={schema} />, in the {place}
          {required && ', required'}
        </small>
      </dt>
      <dd>
        <Prose text={description} />
      </dd>
    </>
  );
}

function AnswerTerm(props: { status: string; answer: Answer; document: ApiDocument }) {
  const { status, answer, document } = props;
  const name = answer.$ref?.split('/').at(-1);
  const codes = name === undefined ? [] : codesOf(document.components.responses[name]);
  const links = codes.map((code) => (
    <a href={`/api/docs/errors#error-${code}`}>
      <code>{code}</code>
    </a>
  ));
  return (
    <>
      <dt>{status}</dt>
      <dd>
        {name === undefined ? <Paragraphs text={answer.description ?? ''} /> : joined(links, ', ')}
        {answer.content && (
          <p>
            <ContentTypes content={answer.content} />
          </p>
        )}
      </dd>
    </>
  );
}

function ContentTypes({ content }: { content: Content }) {
  const kinds = Object.entries(content).map(([mediaType, { schema = {} }]) => (
    <>
      <code>{mediaType}</code>: <Type schema={schema} />
    </>
  ));
  return <>{joined(kinds, ', ')}</>;
}

/** Levels of an example's nested objects; deeper ones are left empty. */
const DEPTH_MAX = 4;

/** Returns the command that calls an operation, with an example of what it takes. */
function curlOf(route: Route, document: ApiDocument, baseUrl: string) {
  const { method, path, requestBody, security = document.security } = route;
  const schema = requestBody?.content['application/json']?.schema;
  const isOpen = security?.some((one) => Object.keys(one).length === 0) ?? true;
  const lines = [
    `curl '${baseUrl}${path}'`,
    ...(method === 'get' ? [] : [`--request ${method.toUpperCase()}`]),
    ...(isOpen ? [] : ['--header "Authorization: Bearer $TOKEN"']),
    ...(schema
      ? [
          "--header 'Content-Type: application/json'",
          `--data '${JSON.stringify(exampleOf(schema, document)).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** Returns an example of a schema: of an object its required properties, or all where none is. */
function exampleOf(schema: Schema, document: ApiDocument, depth = 0): unknown {
  const { $ref, anyOf, allOf, items, properties } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return named ? exampleOf(named, document, depth) : {};
  }
  const [choice] = allOf ?? anyOf ?? [];
  if (choice) return exampleOf(choice, document, depth);
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'array') return items && depth < DEPTH_MAX ? [exampleOf(items, document, depth + 1)] : [];
  if (properties && depth < DEPTH_MAX) {
    const names = schema.required ?? Object.keys(properties);
    return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, document, depth + 1)]));
  }
  return plainExample(schema, type);
}

const TEXTS: Record<string, string> = {
  email: 'jane@example.com',
  uri: 'https://example.com',
  'date-time': '2030-01-31T12:00:00Z',
  date: '2030-01-31',
};

function plainExample({ format, minimum }: Schema, type: string | undefined): unknown {
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'string':
      return TEXTS[format ?? ''] ?? 'text';
    default:
      return {};
  }
}
