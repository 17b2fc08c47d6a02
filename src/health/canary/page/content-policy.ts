/** Returns whether a policy of `Content-Security-Policy` lets a page's form be sent to an address (CSP 3, 6.4.1). */
export function letsFormsSend(policy: string, page: URL, target: URL) {
  // A header can carry several policies, and all of them hold.
  return policy.split(',').every((each) => {
    const directives = directivesOf(each);
    const sandbox = directives.get('sandbox');
    if (sandbox && !sandbox.includes('allow-forms')) return false;
    const sources = directives.get('form-action');
    return !sources || sources.some((source) => matches(source, page, target));
  });
}

function directivesOf(policy: string) {
  const found = new Map<string, string[]>();
  for (const text of policy.split(';')) {
    const [name, ...values] = text.trim().split(/\s+/);
    const key = name?.toLowerCase() ?? '';
    if (key !== '' && !found.has(key)) found.set(key, values);
  }
  return found;
}

function matches(source: string, page: URL, target: URL) {
  const text = source.toLowerCase();
  if (text === "'self'") return isUpgraded(page.protocol, target.protocol) && page.host === target.host;
  if (text === '*') return /^https?:$/.test(target.protocol);
  if (/^[a-z][a-z\d+.-]*:$/.test(text)) return isUpgraded(text, target.protocol);
  const parts = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[a-z\d.-]+|\[[\da-f:]+\])(?::(\d+|\*))?(\/.*)?$/.exec(text);
  if (!parts) return false;
  const [, scheme, host = '', port, path] = parts;
  return (
    isUpgraded(scheme === undefined ? page.protocol : `${scheme}:`, target.protocol) &&
    isHost(host, target.hostname) &&
    isPort(port, target) &&
    isPath(path, target.pathname)
  );
}

/** Tells whether a scheme is the one that is allowed, or a safer one. */
function isUpgraded(allowed: string, scheme: string) {
  return allowed === scheme || (allowed === 'http:' && scheme === 'https:');
}

function isHost(allowed: string, host: string) {
  if (allowed === '*') return true;
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}

function isPort(allowed: string | undefined, { port, protocol }: URL) {
  const usual = protocol === 'https:' ? '443' : '80';
  const actual = port === '' ? usual : port;
  if (allowed === undefined) return actual === usual;
  return allowed === '*' || allowed === actual || (allowed === '80' && actual === '443');
}

function isPath(allowed: string | undefined, path: string) {
  if (allowed === undefined || allowed === '/') return true;
  return allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed;
}
