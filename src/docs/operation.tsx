import {
  codesOf,
  type Answer,
  type ApiDocument,
  type Content,
  type Parameter,
  type Route,
  type Schema,
} from './api-document.js';
import { joined, Paragraphs, Prose } from './prose.js';
import { Type } from './schema.js';

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
function curlOf(route: Route, document: ApiDocument, baseUrl: string): string {
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
  if (type === 'array')
    return items && depth < DEPTH_MAX ? [exampleOf(items, document, depth + 1)] : [];
  if (properties && depth < DEPTH_MAX) {
    const names = schema.required ?? Object.keys(properties);
    return Object.fromEntries(
      names.map((name) => [name, exampleOf(properties[name] ?? {}, document, depth + 1)]),
    );
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
