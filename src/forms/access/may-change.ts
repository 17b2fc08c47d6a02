import type { Principal } from '../../accounts/access/index.js';
import type { Form } from '../model/form.entity.js';
import { FormNotOwn } from '../model/form.errors.js';

type Made = Pick<Form, 'madeByClientId'>;

/** Tells whether somebody may change the settings of a form that they see: a client changes those that it made. */
export function mayChange(principal: Principal, form: Made) {
  return isOwn(principal, form) && principal.has('forms:write');
}

/** Refuses a client that has not made the form. @throws FormNotOwn */
export function assertMayChange(principal: Principal, form: Made) {
  if (!isOwn(principal, form)) throw new FormNotOwn();
}

/**
 * Refuses who may not read submissions, and would: by choosing where they go, or in what came back from there.
 * @throws MissingRight
 */
export function assertMayReceive(principal: Principal) {
  principal.assertHas('submissions:read');
}

function isOwn({ clientId }: Principal, { madeByClientId }: Made) {
  return clientId === null || clientId === madeByClientId;
}
