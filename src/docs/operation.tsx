import {
  codesOf,
  type Answer,
  type ApiDocument,
  type Content,
  type Parameter,
  type Route,
} from './api-document.js';
import { curlOf } from './curl.js';
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
