import helmet from 'helmet';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { securityHeadersOf } from './http-adapter.js';

/** The headers that helmet sets by its own chain, names in small letters. */
function helmetHeaders(https: boolean): Record<string, unknown> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    strictTransportSecurity: https && { includeSubDomains: false },
  })(request, response, (error?: unknown) => {
    if (error) throw error as Error;
  });
  return { ...response.getHeaders() };
}

it.each(['http', 'https'])('The headers of every answer over %s are those of helmet', (scheme) => {
  const ours = [...securityHeadersOf({ baseUrl: `${scheme}://forms.example.com` })];

  expect(Object.fromEntries(ours.map(([name, value]) => [name.toLowerCase(), value]))).toEqual(
    helmetHeaders(scheme === 'https'),
  );
});
