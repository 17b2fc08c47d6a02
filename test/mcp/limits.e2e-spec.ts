import { refusal } from '../support/refusal.js';
import { useOwner, useService } from '../support/service.js';

const LIMIT = 5;
const service = useService({ RATE_LIMIT_TOKEN: String(LIMIT) });
const owner = useOwner(service);

it('A token may send so many messages, and each counts once', async () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_form', arguments: { form: 'x' } },
  };
  const send = () => owner.post('/mcp', message).set('Accept', 'application/json, text/event-stream');

  for (let count = 0; count < LIMIT; count++) await send().expect(200, /Form not found/);

  await send().expect(refusal(429, 'rate_limited'));
});
