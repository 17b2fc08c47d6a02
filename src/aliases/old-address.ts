import { decodedPart } from '../platform/kernel/text/url-part.js';
import { isIdOf, normaliseId, type Provider } from './provider.js';
import { parseUrl } from '../platform/kernel/text/parse-url.js';

/** Hosts that pages name, and the provider behind each. */
const HOSTS: Readonly<Record<string, Provider>> = {
  'usebasin.com': 'basin',
  'www.formbackend.com': 'formbackend',
  'formbackend.com': 'formbackend',
  'formcarry.com': 'formcarry',
  'forminit.com': 'forminit',
  'api.forminit.com': 'forminit',
  'submit-form.com': 'formspark',
  'api.formspark.io': 'formspark',
  'formspree.io': 'formspree',
  'www.formspree.io': 'formspree',
  'formsubmit.co': 'formsubmit',
  'getform.io': 'getform',
  'getform.com': 'getform',
  'api.web3forms.com': 'web3forms',
};

/** Parts of addresses before the id, and behind it, of all of them. */
const AROUND_ID = /^\/(?:f\/|s\/|ajax\/|submit\/?)?|(?:\.json)?\/?$/g;

/** An id of a provider. */
export interface OldId {
  provider: Provider;
  value: string;
}

/** Returns the hosts of a provider, the one that most pages name first. */
export function hostsOf(provider: Provider): string[] {
  return Object.keys(HOSTS).filter((host) => HOSTS[host] === provider);
}

/** Returns the provider of an address that a page sends to; null for any other. */
export function providerOf(address: string): Provider | null {
  const text = address.startsWith('//') ? `https:${address}` : address;
  const { hostname = '' } = parseUrl(text) ?? {};
  return Object.hasOwn(HOSTS, hostname) ? (HOSTS[hostname] ?? null) : null;
}

/** Returns the id in an address that a page sends to; null where it has none, or is of nobody known. */
export function oldIdIn(address: string): OldId | null {
  const provider = providerOf(address);
  if (provider === null) return null;
  const { pathname } = new URL(address.startsWith('//') ? `https:${address}` : address);
  const value = normaliseId(idInPath(pathname));
  return isIdOf(provider, value) ? { provider, value } : null;
}

/** Returns the id in the path of an address that a page sends to; empty where it has none. */
export function idInPath(path: string): string {
  const project = /^\/p\/([^/]+)\/f\/([^/]+)\/?$/.exec(path)?.slice(1).join('/');
  return decodedPart(project ?? path.replace(AROUND_ID, ''));
}
