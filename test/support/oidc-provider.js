/**
 * A real OpenID Connect provider, as a process of its own. It knows whom a test puts at
 * `/people/SUBJECT`, takes any password, and asks for no consent. Prints its issuer when it is ready.
 *
 *     node oidc-provider.js CLIENT_ID CLIENT_SECRET REDIRECT_URI
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

const [, , clientId, clientSecret, redirectUri] = process.argv;
/** Claims by subject. */
const people = new Map();

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    findAccount: (_, subject) => {
      const claims = people.get(subject);
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const { clientId, accountId } = { clientId: oidc.client.clientId, ...oidc.session };
      const grant = new provider.Grant({ clientId, accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const [, subject] = /^\/people\/(.+)$/.exec(request.url) ?? [];
    if (subject === undefined || request.method !== 'PUT') return answer(request, response);
    return json(request).then((claims) => {
      people.set(decodeURIComponent(subject), claims);
      response.writeHead(204).end();
    });
  });
  process.stdout.write(`${issuer}\n`);
});
