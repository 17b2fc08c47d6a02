import type { Right } from '../../accounts/access/index.js';
import type { FieldProblem } from '../../platform/index.js';
import { ActionForm, Copyable, Field, LinkButton, Notice, PageHead, Section, Select } from '../parts/index.js';
import { Page, Shell } from '../layout/shell.js';
import { ExpiryField, tokenWords } from './tokens.page.js';

/** The kinds of agents, each with what it can do. */
export const AGENTS = {
  setup: { label: 'Set up forms, but not read submissions', rights: ['forms:read', 'forms:create', 'forms:write'] },
  inbox: {
    label: 'Set up forms, and read and mark submissions',
    rights: ['forms:read', 'forms:create', 'forms:write', 'submissions:read', 'submissions:write'],
  },
} as const satisfies Record<string, { label: string; rights: readonly Right[] }>;

export type AgentKind = keyof typeof AGENTS;

const UP = { href: '/tokens', label: tokenWords.list };

export interface ConnectAgentPageProps {
  /** The kinds that the person can connect. */
  kinds: readonly AgentKind[];
  typed: { name: string; kind: string; expires: string };
  problems: FieldProblem[];
}

/** Draws the page that asks what an agent is for. */
export function ConnectAgentPage({ kinds, typed, problems }: ConnectAgentPageProps) {
  const options = kinds.map((kind) => ({ value: kind, label: AGENTS[kind].label }));
  return (
    <Page title={tokenWords.agent} section="tokens" up={UP}>
      <p>
        A coding agent adds forms to your sites, proves that they work, and finds out why one does not. It has an API
        token of its own, and its changes to forms are in the audit log. It deletes nothing.
      </p>
      <ActionForm action="/tokens/agent" problems={problems} submit="Connect" icon="key-round">
        <Field name="token.name" label={tokenWords.name} value={typed.name} required />
        <Select name="kind" label="The agent can" value={typed.kind} options={options} />
        <ExpiryField value={typed.expires} />
      </ActionForm>
    </Page>
  );
}

/** Draws what to paste into an agent; the only page that ever shows its token. */
export function AgentConnectedPage(props: { name: string; secret: string; baseUrl: string }) {
  const { name, secret, baseUrl } = props;
  return (
    <Shell title={tokenWords.agent} section="tokens">
      <PageHead title={name} up={UP} />
      <Notice kind="warn">
        <p>
          Copy what your agent needs now. We show the token only once and never store it. Keep it out of your
          repository.
        </p>
      </Notice>
      <Section title="Connect" hint="Choose the program that you work with.">
        <div class="snippets">
          {hostsFor(`${baseUrl}/mcp`, secret).map(({ host, code }, index) => (
            <details name="host" open={index === 0}>
              <summary>{host}</summary>
              <Copyable id={`host-${index}`} text={code} />
            </details>
          ))}
        </div>
      </Section>
      <p>Then ask, for example: “Add a contact form to this site with the forms server, and prove that it works.”</p>
      <LinkButton href="/tokens" kind="primary" icon="check">
        I have copied it
      </LinkButton>
    </Shell>
  );
}

/** Returns what each program that runs agents has to be told. */
function hostsFor(url: string, secret: string) {
  const headers = { Authorization: `Bearer ${secret}` };
  const json = (value: object) => JSON.stringify(value, null, 2);
  return [
    {
      host: 'Claude Code',
      code: `claude mcp add --transport http forms ${url} --header "Authorization: Bearer ${secret}"`,
    },
    { host: 'Cursor: .cursor/mcp.json', code: json({ mcpServers: { forms: { url, headers } } }) },
    { host: 'VS Code: .vscode/mcp.json', code: json({ servers: { forms: { type: 'http', url, headers } } }) },
    {
      host: 'Codex: ~/.codex/config.toml',
      code: `[mcp_servers.forms]\nurl = "${url}"\nhttp_headers = { "Authorization" = "Bearer ${secret}" }`,
    },
    { host: 'Any other: address and header', code: `${url}\nAuthorization: Bearer ${secret}` },
  ];
}
