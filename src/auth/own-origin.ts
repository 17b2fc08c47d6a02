import type { IncomingHttpHeaders } from 'node:http';
import { ForeignRequest } from '../access/access.errors.js';

/** The part of a request that tells where it comes from. */
interface SentRequest {
  method: string;
  headers: IncomingHttpHeaders;
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a changing request that no page of this service made, against cross-site request forgery.
 * Browsers send `Sec-Fetch-Site`, though only to https and localhost; without it `Origin` has to be
 * ours. A request with neither is refused, and so is one from another host of the same site.
 * @param address under which the request reached this service
 * @throws ForeignRequest
 */
export function assertOwnOrigin({ method, headers }: SentRequest, address: string): void {
  if (SAFE_METHODS.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn =
    site === undefined ? headers.origin === new URL(address).origin : site === 'same-origin';
  if (!isOwn) throw new ForeignRequest();
}
