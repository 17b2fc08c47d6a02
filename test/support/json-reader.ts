/** A JSON value; an object is the list of its members, in order and with repeated names. */
export type Ordered = { members: [string, Ordered][] } | Ordered[] | { raw: string };

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

/** Reads JSON without losing what `JSON.parse` does: order, repeated names and the text of numbers. */
export function readOrdered(text: string): Ordered {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const value = (token: string): Ordered => {
    if (token === '[') return list(']', () => value(next()));
    if (token === '{') return { members: list('}', member) };
    return { raw: token };
  };
  const member = (): [string, Ordered] => {
    const name = JSON.parse(next()) as string;
    next();
    return [name, value(next())];
  };
  const list = <Item>(end: string, item: () => Item): Item[] => {
    const items: Item[] = [];
    if (tokens[at] === end) next();
    else
      do items.push(item());
      while (next() === ',');
    return items;
  };
  return value(next());
}

/** Returns the value of a member of an object. */
export function memberOf(object: Ordered, name: string): Ordered {
  const found = 'members' in object && object.members.find(([each]) => each === name);
  if (!found) throw new Error(`There is no member ${name}.`);
  return found[1];
}

/** Returns the names and values of a submission in the text of the API, as ordered pairs. */
export function pairsOf(text: string): [string, string][] {
  const values = memberOf(readOrdered(text), 'values');
  if (!('members' in values)) throw new Error('The values are no object.');
  return values.members.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [
      name,
      'raw' in item ? (JSON.parse(item.raw) as string) : '',
    ]),
  );
}
