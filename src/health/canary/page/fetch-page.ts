import {
  isForbidden,
  USER_AGENT,
  type Download,
  type GuardedHttpClient,
  SECOND_MS,
  parseWebUrl,
} from '../../../platform/index.js';
import { failed, skipped, unseen, type Step } from '../step.js';
import type { FormCaptcha } from '../../../spam/evidence/spam-evidence.js';

/** Name of our program in `robots.txt`. */
const ROBOT = 'form-collection-service';

interface Rule {
  isAllowed: boolean;
  path: string;
}

/** Tells whether a `robots.txt` lets us fetch a page (RFC 9309): the longest rule for us decides, or for all. */
export function letsRobotFetch(text: string, { pathname, search }: URL) {
  const path = pathname + search;
  const rules = rulesFor(text)
    .filter((rule) => matches(rule.path, path))
    .sort((one, other) => other.path.length - one.path.length || Number(other.isAllowed) - 1);
  return rules[0]?.isAllowed ?? true;
}

/** Returns the rules of the groups that name us, else of those for all. */
function rulesFor(text: string) {
  const groups = new Map<string, Rule[]>([
    [ROBOT, []],
    ['*', []],
  ]);
  const named = new Set<string>();
  let agents: string[] = [];
  let isHead = true;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const said = value.trim();
    if (/^user-agent$/i.test(key)) {
      if (!isHead) agents = [];
      isHead = true;
      // Names stand without their version.
      const agent = said.toLowerCase().split('/', 1)[0] ?? '';
      agents.push(agent);
      named.add(agent);
    } else if (/^(?:dis)?allow$/i.test(key)) {
      isHead = false;
      // An empty rule allows everything.
      if (said === '') continue;
      const rule = { isAllowed: /^allow$/i.test(key), path: said };
      for (const agent of agents) groups.get(agent)?.push(rule);
    }
  }
  return groups.get(named.has(ROBOT) ? ROBOT : '*') ?? [];
}

/** Tells whether a path begins like a rule, where `*` is for any text and `$` for the end; in time that grows with both. */
function matches(rule: string, path: string) {
  const isWhole = rule.endsWith('$');
  const [first = '', ...others] = (isWhole ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(first)) return false;
  if (others.length === 0) return !isWhole || path === first;
  let at = first.length;
  for (const part of others.slice(0, -1)) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = others.at(-1) ?? '';
  if (isWhole) return path.length - last.length >= at && path.endsWith(last);
  return path.includes(last, at);
}

/** Longest page that is read, in bytes. */
const PAGE_MAX_BYTES = 2 * 1024 * 1024;
/** Longest time for a page with all its redirects, in milliseconds. */
const PAGE_TIMEOUT_MS = 20 * SECOND_MS;
const ROBOTS_TIMEOUT_MS = 5 * SECOND_MS;
/** Most redirects that are followed; browsers follow 20. */
const REDIRECTS_MAX = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers of a page that asks whether a person is there. */
const CHALLENGES = ['cf-mitigated', 'x-amzn-waf-action', 'x-datadome'];

/** A page as it came. */
export interface FetchedPage {
  html: string;
  /** Its address after all redirects. */
  url: URL;
  /** Policies of `Content-Security-Policy`. */
  policies: string[];
}

/** Fetches pages as a browser does that has no cookies and runs no scripts. */
export class PageFetcher {
  /** @param timeoutMs for a page with all its redirects */
  constructor(
    private readonly http: GuardedHttpClient,
    private readonly timeoutMs = PAGE_TIMEOUT_MS,
  ) {}

  /** Fetches a page, unless its site forbids robots to. @returns a step that says why there is none */
  async fetch(address: URL, signal?: AbortSignal): Promise<FetchedPage | Step> {
    const late = AbortSignal.timeout(this.timeoutMs);
    const limited = AbortSignal.any([late, ...(signal ? [signal] : [])]);
    try {
      return await this.follow(address, limited);
    } catch (error) {
      // What the end of the process interrupts says nothing of the page.
      signal?.throwIfAborted();
      return stepOf(error, address, this.timeoutMs);
    }
  }

  /** Reads a script of a page; empty where it cannot be read. */
  async readScript(address: URL, signal: AbortSignal) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ROBOTS_TIMEOUT_MS)]);
    const page = await this.get(address, limited).catch(() => null);
    if (!page) return '';
    try {
      return page.status === 200 ? await textOf(page) : '';
    } catch {
      return '';
    } finally {
      page.close();
    }
  }

  private async follow(address: URL, signal: AbortSignal): Promise<FetchedPage | Step> {
    const seen = new Set<string>();
    for (let url = address; ;) {
      if (!(await this.isAllowed(url, signal))) {
        const detail = `${url.origin}/robots.txt asks programs not to fetch ${url.pathname}, so the page is not checked. Allow “Form-Collection-Service” there.`;
        return unseen('page', 'robots', detail);
      }
      seen.add(url.href);
      const page = await this.get(url, signal);
      try {
        const location = REDIRECTS.has(page.status) ? headerOf(page, 'location') : '';
        if (location === '') return await read(page, url);
        const next = parseWebUrl(location, url);
        if (!next) {
          const detail = `${url.href} redirects to “${location.slice(0, 200)}”, which is no page.`;
          return failed('page', 'page_redirects', detail);
        }
        next.hash = '';
        if (seen.has(next.href)) {
          const detail = `${url.href} redirects to ${next.href}, and that leads back: nobody gets to the page.`;
          return failed('page', 'page_redirects', detail);
        }
        if (seen.size > REDIRECTS_MAX) {
          const detail = `${address.href} redirects more than ${REDIRECTS_MAX} times. Set the page that it leads to.`;
          return failed('page', 'page_redirects', detail);
        }
        url = next;
      } finally {
        page.close();
      }
    }
  }

  private async isAllowed(url: URL, signal: AbortSignal) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ROBOTS_TIMEOUT_MS)]);
    const robots = new URL('/robots.txt', url).href;
    const headers = { 'user-agent': USER_AGENT };
    const answer = await this.http.read(robots, headers, limited).catch(() => null);
    return answer?.status !== 200 || letsRobotFetch(answer.body, url);
  }

  private get(url: URL, signal: AbortSignal) {
    const headers = {
      'user-agent': USER_AGENT,
      accept: 'text/html,application/xhtml+xml,*/*;q=0.5',
      'accept-encoding': 'identity',
    };
    return this.http.get(url.href, headers, signal);
  }
}

async function read(page: Download, url: URL): Promise<FetchedPage | Step> {
  const refused = refusalOf(page, url);
  if (refused) return refused;
  const type = headerOf(page, 'content-type');
  if (type !== '' && !/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type.trim())) {
    const detail = `${url.href} is no page of HTML but “${type.slice(0, 100)}”.`;
    return failed('page', 'page_not_html', detail);
  }
  if (!/^(?:identity)?$/i.test(headerOf(page, 'content-encoding'))) {
    const detail = `${url.href} comes compressed although we ask for plain text.`;
    return unseen('page', 'page_compressed', detail);
  }
  const html = await textOf(page);
  if (html.length > PAGE_MAX_BYTES) {
    const megabytes = PAGE_MAX_BYTES / 1024 / 1024;
    const detail = `${url.href} is larger than ${megabytes} MiB, which is more than we read.`;
    return failed('page', 'page_too_large', detail);
  }
  const policy = page.headers['content-security-policy'];
  return { html, url, policies: policy === undefined ? [] : [policy].flat() };
}

/** Returns why a status gives no page; null for one that does. */
function refusalOf(page: Download, { href }: URL) {
  const { status } = page;
  if (CHALLENGES.some((name) => page.headers[name] !== undefined) || status === 429) {
    const detail = `${href} asks first whether a person is there (${status}). We cannot see the page: let “Form-Collection-Service” pass.`;
    return unseen('page', 'page_challenge', detail);
  }
  if (status === 401 || status === 403 || status === 407) {
    const detail = `${href} asks for a sign-in (${status}). Set a page that everybody can open.`;
    return failed('page', 'page_needs_sign_in', detail);
  }
  if (status === 404 || status === 410) {
    const detail = `${href} is gone (${status}). Put it back, or set the page where the form is now.`;
    return failed('page', 'page_missing', detail);
  }
  if (status >= 500) {
    return failed('page', 'page_error', `${href} fails with an error of its server (${status}).`);
  }
  if (status !== 200 && status !== 203) {
    return failed('page', 'page_status', `${href} answers ${status}, which is no page.`);
  }
  return null;
}

function headerOf({ headers }: Download, name: string) {
  return [headers[name] ?? ''].flat().join(',').trim();
}

/** Reads a body, as bytes that are letters where they are more than ASCII; one byte more than PAGE_MAX_BYTES at most. */
async function textOf({ body }: Download) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > PAGE_MAX_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  return size > PAGE_MAX_BYTES ? bytes.toString('latin1') : bytes.toString('utf8');
}

/** Codes of errors of the network, by what they mean for the page. */
const DNS = /^(?:ENOTFOUND|EAI_NODATA|EAI_NONAME)$/;
const NO_DNS = /^(?:EAI_\w+|ESERVFAIL)$/;
const TLS = /CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE|EPROTO/;
const LATE = /TIMEOUT|ETIMEDOUT/;

function stepOf(error: unknown, { href, hostname }: URL, timeoutMs: number) {
  const { name, code, message, cause } = error as {
    name: string;
    code?: unknown;
    message: string;
    cause?: { code?: unknown; message?: string };
  };
  const word = [code, cause?.code].find((each) => typeof each === 'string') ?? '';
  const said = cause?.message ?? message;
  if (isForbidden(error)) {
    const detail = `${href} leads to a private network, where we fetch no pages. Set a public page, or ask the operator to add the network to WEBHOOK_ALLOWED_NETWORKS.`;
    return failed('page', 'page_private', detail);
  }
  if (name === 'TimeoutError' || LATE.test(word)) {
    const seconds = Math.round(timeoutMs / SECOND_MS);
    return failed('page', 'page_slow', `${href} did not come within ${seconds} seconds.`);
  }
  if (DNS.test(word)) {
    const detail = `The DNS knows no ${hostname}. Check the domain, and whether it is paid for.`;
    return failed('page', 'page_dns', detail);
  }
  if (NO_DNS.test(word)) {
    return skipped('page', 'dns_away', `The DNS of this service does not answer (${word}).`);
  }
  if (TLS.test(word)) {
    const detail = `Browsers do not trust ${hostname}: ${said}. Renew its certificate.`;
    return failed('page', 'page_certificate', detail);
  }
  return failed('page', 'page_unreachable', `${href} cannot be reached: ${word || said}.`);
}

/** Facts of a form that its page has to agree with. */
export interface PageFacts {
  /** The address that visitors send to, as its snippet names it. */
  address: string;
  identifier: string;
  /** Ids of other providers that lead to the form. */
  aliases: readonly string[];
  /** Hosts, with their ports, that lead to this service. */
  hosts: ReadonlySet<string>;
  /** Fields that the rules of the form ask for. */
  required: readonly string[];
  /** Fields that nearly all recent submissions of the page had. */
  usual: readonly string[];
  /** Names of fields that people do not see, as the owner set them. */
  honeypots: readonly string[];
  asksForProof: boolean;
  captcha: Pick<FormCaptcha, 'provider' | 'siteKey'> | null;
}

/** Headers of a page that say where its forms may send. */
export interface PageHeaders {
  /** Policies of `Content-Security-Policy`. */
  policies: readonly string[];
}

/** A way in which a page is broken, or hides what it does. */
export interface PageProblem {
  code: string;
  detail: string;
  /** Whether it cannot be told from outside that anything is wrong. */
  isUnseen?: boolean;
}
