import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { RIGHTS } from '../../src/access/rights.js';
import { deliveriesOf } from '../support/deliveries.js';
import { makeForm, makeToken } from '../support/make.js';
import { refusal } from '../support/refusal.js';
import { useService, type Caller, type Method } from '../support/service.js';
import { submit, submitFile } from '../support/submissions.js';

const OPENAPI = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, { 'x-right'?: string }>>;
};
const ROUTES = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { 'x-right': right }]) =>
    right === undefined
      ? []
      : [{ method: method as Method, path: path.replace(/\{\w+\}/g, '0'), right }],
  ),
);

const service = useService({ WORKERS: 'off' });
let owner: Caller;
beforeAll(async () => {
  owner = await service().openAccount('Shop', 'shop@example.com');
});

const withRights = async (rights: string[]) =>
  service().as((await makeToken(owner, { rights })).token);

describe.each(RIGHTS)('The right %s', (right) => {
  const needed = ROUTES.filter((route) => route.right === right);

  it('is needed, and enough, on every route that is documented to ask for it', async () => {
    const without = await withRights(RIGHTS.filter((other) => other !== right));
    const withIt = await withRights([right]);

    expect(needed.length).toBeGreaterThan(0);
    for (const { method, path } of needed) {
      await without.send(method, path, {}).expect(refusal(403, 'missing_right'));
      const { status } = await withIt.send(method, path, {});
      expect({ method, path, refused: status === 401 || status === 403 }).toEqual({
        method,
        path,
        refused: false,
      });
    }
  });
});

describe('Every route of the API', () => {
  it('is documented to ask for a right, but for what is about the token or the person itself', () => {
    const open = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { 'x-right': right }]) =>
        path.startsWith('/api/v1/') && right === undefined ? [`${method} ${path}`] : [],
      ),
    );

    const ofToken = open.filter((route) => !/\/(?:me|sign-in)\//.test(route));
    expect(ofToken).toEqual(['get /api/v1/me', 'get /api/v1/me.json']);
  });
});

describe('What belongs to a submission', () => {
  it('is not found through another submission, nor through another form', async () => {
    const form = await makeForm(owner);
    const otherForm = await makeForm(owner);
    const id = await submitFile(service(), form, 'a file');
    const sibling = await submit(service(), form);
    const stranger = await submit(service(), otherForm);
    const path = (identifier: string, submission: string) =>
      `/api/v1/forms/${identifier}/submissions/${submission}` as const;
    const { body } = await owner.get(path(form.identifier, id)).expect(200);
    const [file] = body.files;
    const [delivery] = await deliveriesOf(owner, form, id);
    const parts = [
      ['get', `/files/${file?.id ?? ''}`, 'file_not_found'],
      ['post', `/deliveries/${delivery?.id ?? ''}/attempts`, 'delivery_not_found'],
    ] as const;

    for (const [method, part, code] of parts) {
      const ask = (identifier: string, submission: string) =>
        owner.send(method, path(identifier, submission) + part);
      await ask(form.identifier, sibling).expect(refusal(404, code));
      await ask(otherForm.identifier, stranger).expect(refusal(404, code));
      await ask(otherForm.identifier, id).expect(refusal(404, 'submission_not_found'));
      await ask(form.identifier, id).expect(200);
    }
  });
});
