import { once } from 'node:events';
import { createServer } from 'node:net';
import { isBaseUrl } from '../../platform/config/addresses.js';
import type { Config } from '../../platform/config/config.js';
import { explainFailure } from '../../start-failure.js';
import type { Change, Draft } from './draft.js';
import type { SetupOptions, Step } from './step.js';
import type { Terminal } from './terminal.js';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** Trusts the one proxy in front. */
const ONE_PROXY = '1';
const THIS_MACHINE = '127.0.0.1';

/** Asks for the public address, and sets the ports and the certificate by it. */
export const addressStep: Step = {
  title: 'Address',

  read({ baseUrl, proxy }: SetupOptions, draft: Draft): Change {
    if (baseUrl === false) return { BASE_URL: null };
    if (baseUrl === undefined && proxy === undefined) return {};
    return changeFor(baseUrl ?? draft.config.baseUrl, proxy ?? isBehindProxy(draft), draft);
  },

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const baseUrl = await terminal.ask(
      'Address of the service, such as https://forms.example.com',
      draft.config.baseUrl,
    );
    if (!isBaseUrl(baseUrl) || LOOPBACK.test(new URL(baseUrl).hostname))
      return changeFor(baseUrl, false, draft);
    const isProxied = await terminal.confirm(
      'Does a proxy such as nginx or Caddy answer there, and pass requests to the service?',
      isBehindProxy(draft),
    );
    return changeFor(baseUrl, isProxied, draft);
  },

  async attempt({ config }: Draft): Promise<string> {
    const { port, host, tls, http } = config;
    const where = `The service listens on ${host}:${port}`;
    const sentence =
      tls.acmeDomains.length > 0
        ? `${where} and orders the certificate for ${tls.acmeDomains.join(', ')}. Ports 80 and ${port} must be reachable from the internet. You agree to the terms of the authority, Let's Encrypt.`
        : `${where}${http.trustProxy === 'off' ? '' : ' for the proxy'}.`;
    const trouble = await portTrouble(config);
    return trouble === null ? sentence : `${sentence}\n  At the moment it could not: ${trouble}`;
  },
};

function isBehindProxy(draft: Draft): boolean {
  return draft.config.http.trustProxy !== 'off';
}

/** Returns the settings for an address; those that fit already stay. */
function changeFor(baseUrl: string, isProxied: boolean, draft: Draft): Change {
  const base = { BASE_URL: baseUrl };
  if (!isBaseUrl(baseUrl)) return base;
  const { protocol, hostname, port } = new URL(baseUrl);
  const { tls } = draft.config;
  const hasFiles = tls.certFile !== undefined;
  const withoutAcme = { ACME_DOMAIN: null, ...(!hasFiles && { HTTP_PORT: null }) };
  if (isProxied) {
    return {
      ...base,
      ...withoutAcme,
      ...(tls.acmeDomains.length > 0 && { PORT: null }),
      ...(!isBehindProxy(draft) && { TRUST_PROXY: ONE_PROXY }),
      HOST: draft.value('HOST') ?? THIS_MACHINE,
    };
  }
  const direct = {
    ...base,
    ...(isBehindProxy(draft) && { TRUST_PROXY: null }),
    ...(draft.value('HOST') === THIS_MACHINE && !LOOPBACK.test(hostname) && { HOST: null }),
  };
  if (protocol === 'http:') return { ...direct, ...withoutAcme, PORT: port || '80' };
  if (hasFiles || tls.acmeDomains.includes(hostname)) return direct;
  return { ...direct, ACME_DOMAIN: hostname, HTTP_PORT: '80', PORT: port || '443' };
}

/** Returns why the service could not listen now; null if it could. It may run already, or as another user. */
async function portTrouble(config: Config): Promise<string | null> {
  const { port, tls } = config;
  for (const each of tls.httpPort === undefined ? [port] : [port, tls.httpPort]) {
    const server = createServer();
    try {
      await once(server.listen(each, config.host), 'listening');
    } catch (error) {
      return explainFailure(error, config);
    } finally {
      server.close();
    }
  }
  return null;
}
