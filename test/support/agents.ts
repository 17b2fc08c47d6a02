import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Response } from 'supertest';
import type { Service } from './service.js';

/** The result of a tool that tests look at. */
interface Told {
  text: string;
  isError: boolean;
}

/** Data of any shape, as bodies of answers are. */
type Data = Response['body'];

const INFO = { name: 'test', version: '1.0.0' };

/** The clients that agents use: of each era, and one that others wrote before. */
export const CLIENTS = ['2026-07-28', 'legacy', 'sdk 1'] as const;
export type ClientName = (typeof CLIENTS)[number];

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** An agent that is connected to a service. */
export interface Agent {
  version: string | undefined;
  tools: () => Promise<{ name: string; inputSchema: object; annotations?: object | undefined }[]>;
  /** Calls a tool. */
  call: (name: string, args?: object) => Promise<Told>;
  /** Calls a tool, and returns the data between its fences. */
  read: (name: string, args?: object) => Promise<Data>;
  client: Client;
}

/** Connects an agent by one of the clients. It is closed after the test. */
export async function connect(service: Service, token: string, name: ClientName = '2026-07-28'): Promise<Agent> {
  const url = new URL('/mcp', service.url);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const client =
    name === 'sdk 1' ? new OldClient(INFO) : new Client(INFO, { versionNegotiation: { mode: modeOf(name) } });
  const transport =
    name === 'sdk 1' ? new OldTransport(url, { requestInit }) : new StreamableHTTPClientTransport(url, { requestInit });
  // The clients have the same methods.
  const one = client as Client;
  await one.connect(transport);
  open.push(one);
  const call = async (tool: string, args: object = {}) => {
    const { content, isError = false } = await one.callTool({ name: tool, arguments: { ...args } });
    const [{ text = '' } = {}] = content as { text?: string }[];
    return { text, isError };
  };
  return {
    ...{ client: one, call },
    version: name === 'sdk 1' ? undefined : one.getNegotiatedProtocolVersion(),
    tools: async () => (await one.listTools()).tools,
    read: async (tool, args) => {
      const { text, isError } = await call(tool, args);
      if (isError) throw new Error(text);
      return dataIn(text);
    },
  };
}

function modeOf(name: ClientName) {
  return name === 'legacy' ? ('legacy' as const) : { pin: '2026-07-28' };
}

/** Returns what stands between the fences of a text. */
export function dataIn(text: string): Data {
  const [, mark, data = ''] = /^begin (\S+)\n(.*)\nend \1$/ms.exec(text) ?? [];
  if (mark === undefined) throw new Error(`There is no fence in ${text}`);
  return JSON.parse(data);
}
