import {
  jsonElements,
  jsonMembers,
  type JsonMember,
} from '../../platform/kernel/text/json-text.js';
import { parseUuid, timeOf } from '../../platform/kernel/uuid.js';
import { F_PATH, type Dialect } from './dialect.js';

/** `fi-text-message` is the field `message`; `fi-sender-email` is `email`. */
const TYPED = /^fi-[a-z]+-(.+)$/i;

export const forminit: Dialect = {
  provider: 'forminit',
  paths: [F_PATH, { route: '/forminit', pattern: /^\/forminit\/?$/s }],
  roles: { forminitFormId: 'key' },
  read: ({ members, files }) => ({
    members: members.flatMap(unwrapped).flatMap(read),
    files: files.map((file) => ({ ...file, field: plainName(file.field) })),
  }),
  success: ({ id, next }) => ({
    success: true,
    redirectUrl: next,
    submission: { hashId: id, date: dateOf(id) },
  }),
  failure: ({ status, code, message, errors }) => {
    const field = errors.find((entry) => entry.field !== null);
    return {
      ...{ success: false, error: field?.code ?? code, message: field?.message ?? message },
      ...{ code: status, ...(field && { fieldName: field.field }) },
    };
  },
};

/** Returns what is under `data`, where its script puts all that it sends to an address of one's own. */
function unwrapped(member: JsonMember): JsonMember[] {
  const { name, json } = member;
  return name === 'data' && json.startsWith('{') ? jsonMembers(json) : [member];
}

function read({ name, json }: JsonMember): JsonMember[] {
  if (name === 'blocks' && json.startsWith('[')) return jsonElements(json).flatMap(fieldsOf);
  return [{ name: plainName(name), json }];
}

/** Returns the fields of a block: one by its name, or what it says of the sender or of the way here. */
function fieldsOf(block: string): JsonMember[] {
  if (!block.startsWith('{')) return [];
  const parts = new Map(jsonMembers(block).map(({ name, json }) => [name, json]));
  const properties = parts.get('properties');
  if (properties?.startsWith('{')) return jsonMembers(properties);
  const name: unknown = JSON.parse(parts.get('name') ?? 'null');
  return typeof name === 'string' ? [{ name, json: parts.get('value') ?? 'null' }] : [];
}

function plainName(name: string): string {
  return TYPED.exec(name)?.[1] ?? name;
}

function dateOf(id: string): string | null {
  const bytes = parseUuid(id);
  return bytes && timeOf(bytes).toISOString();
}
