import { parseUrl } from '../../../platform/index.js';

/** Longest address of a mail server, in characters. */
const ADDRESS_MAX = 1_024;
/** Ports at which servers take mails to be sent on; no other service is reached by a mail. */
const PORTS = [25, 465, 587, 2525];

/** A mail server and how to log in to it. */
export interface SmtpAddress {
  secure: boolean;
  /** Without the brackets of an IPv6 address. */
  host: string;
  port: number;
  /** Null: nobody logs in. */
  auth: { user: string; pass: string } | null;
}

/** Reads an address such as `smtps://user:password@mail.example.com:465`; null for anything else. */
export function readSmtpAddress(text: string): SmtpAddress | null {
  const url = parseUrl(text);
  if (!url || !/^smtps?:\/\/[^/]/i.test(text)) return null;
  const { protocol, hostname, port: given, username, password, pathname, search, hash } = url;
  const secure = protocol === 'smtps:';
  const port = given === '' ? (secure ? 465 : 587) : Number(given);
  const isBare = /^\/?$/.test(pathname) && search === '' && hash === '';
  if (hostname === '' || !isBare || !PORTS.includes(port)) return null;
  try {
    const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    const host = hostname.replace(/^\[|\]$/g, '');
    return { secure, host, port, auth: username === '' ? null : auth };
  } catch {
    return null;
  }
}

/** Checks what somebody typed; null for what is no such address. */
export function parseSmtpUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > ADDRESS_MAX) return null;
  const text = value.trim();
  return readSmtpAddress(text) === null || /[\s\p{Cc}]/u.test(text) ? null : text;
}
