/** Name of our program in `robots.txt`. */
const ROBOT = 'form-collection-service';

interface Rule {
  isAllowed: boolean;
  path: string;
}

/** Tells whether a `robots.txt` lets us fetch a page (RFC 9309): the longest rule for us decides, or for all. */
export function letsRobotFetch(text: string, { pathname, search }: URL): boolean {
  const path = pathname + search;
  const rules = rulesFor(text)
    .filter((rule) => matches(rule.path, path))
    .sort((one, other) => other.path.length - one.path.length || Number(other.isAllowed) - 1);
  return rules[0]?.isAllowed ?? true;
}

/** Returns the rules of the groups that name us, else of those for all. */
function rulesFor(text: string): Rule[] {
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
function matches(rule: string, path: string): boolean {
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
