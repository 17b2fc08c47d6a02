import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam, ApiProperty } from '@nestjs/swagger';
import { camelCase } from '../kernel/text/text.js';
import { uuidOf } from '../kernel/uuid.js';
import { Nested, Required } from '../kernel/validation.js';

/**
 * Returns the headers about the other pages of a list: `Link` (RFC 8288) with the relations first, prev,
 * next and last as far as they exist, and `X-Total-Count`.
 * @param address of the list, absolute, without a query
 * @param parameters other query parameters of the request, which the links repeat
 */
export function pageHeaders(
  address: string,
  { page, perPage }: { page: number; perPage: number },
  total: number,
  parameters = new URLSearchParams(),
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const links = [
    ['first', 1],
    ...(page > 1 ? [['prev', Math.min(page - 1, last)]] : []),
    ...(page < last ? [['next', page + 1]] : []),
    ['last', last],
  ];
  const more = parameters.size === 0 ? '' : `&${parameters.toString()}`;
  const link = links.map(([rel, n]) => `<${address}?page=${n}&per_page=${perPage}${more}>; rel="${rel}"`);
  return { Link: link.join(', '), 'X-Total-Count': String(total) };
}

/** Makes a decorator of a parameter that describes it to the OpenAPI document too. */
export function paramOf(read: ParameterDecorator, described: MethodDecorator): ParameterDecorator {
  return (target, key, index) => {
    read(target, key, index);
    const method = key && Object.getOwnPropertyDescriptor(target, key);
    if (method) described(target, key, method);
  };
}

/** Describes a UUID in the path. */
export const ApiUuid = (name: string) => ApiParam({ name, schema: { type: 'string', format: 'uuid' } });

/** Reads a UUID from the path; null for other text, which is answered like an unknown id. */
export const UuidParam = (name: string) => paramOf(Param(name, { transform: uuidOf }), ApiUuid(name));

/** Largest id an INT column holds. */
const MAX_ID = 2_147_483_647;
const NO_RECORD = 0;

/** Reads an id. Text that cannot be one becomes an id that no row has, so that it is answered like any unknown one. */
export function recordIdOf(text: string) {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : NO_RECORD;
  return id > MAX_ID ? NO_RECORD : id;
}

/** Reads an id from the path. */
export const RecordId: PipeTransform<string, number> = { transform: recordIdOf };

type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

/** Has the members of a body under the names of the code. */
type Given<Sent> = { [Name in keyof Sent as Camel<Name> & string]: Sent[Name] };

/** Returns what a body has, under the names of the code: `reply_to` as `replyTo`. What it leaves out stays as it is. */
export function given<Sent extends object>(sent: Sent): Given<Sent> {
  const members = Object.entries(sent).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [camelCase(name), value as unknown])) as Given<Sent>;
}

/** A class of what is on the wire, and the function that writes it. */
type Shape<Shown> = (new () => Shown) & { prototype: object };
type Writing<From extends unknown[], Shown> = Shape<Shown> & { of(...from: From): Shown };

/**
 * Makes the class of a body with one member, which is required and checked by its own class:
 * `class ChangeFormDto extends asked('form', FormChangesDto) {}` takes `{"form":{…}}`.
 */
export function asked<Name extends string, Inner>(
  name: Name,
  inner: Shape<Inner>,
  description?: string,
): Shape<Record<Name, Inner>> {
  const made = shaped<Record<Name, Inner>>(name, { type: () => inner, description });
  // As the compiler does for a property that is written out.
  Reflect.defineMetadata('design:type', inner, made.prototype, name);
  Required()(made.prototype, name);
  Nested(() => inner as new () => object)(made.prototype, name);
  return made;
}

/**
 * Makes the class of an answer with one member, and its `of`: `class FormAnswerDto extends wrapped('form', FormDto) {}`
 * writes `{"form":{…}}`.
 */
export function wrapped<Name extends string, From extends unknown[], Inner>(
  name: Name,
  inner: Writing<From, Inner>,
  description?: string,
): Writing<From, Record<Name, Inner>> {
  const of = (...from: From) => ({ [name]: inner.of(...from) }) as Record<Name, Inner>;
  return Object.assign(shaped<Record<Name, Inner>>(name, { type: () => inner, description }), { of });
}

/** Makes the same of a list: `class FormListDto extends listOf('forms', FormDto) {}` writes `{"forms":[…]}`. */
export function listOf<Name extends string, From, Inner>(
  name: Name,
  inner: Writing<[From], Inner>,
  description?: string,
): Writing<[readonly From[]], Record<Name, Inner[]>> {
  const of = (all: readonly From[]) => ({ [name]: all.map((each) => inner.of(each)) }) as Record<Name, Inner[]>;
  return Object.assign(shaped<Record<Name, Inner[]>>(name, { type: () => [inner], description }), { of });
}

/** Makes a class with one member, which the API document has. */
function shaped<Shown>(name: string, { type, description }: Described) {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its member is made below
  const made = class {};
  ApiProperty({ type, ...(description !== undefined && { description }) })(made.prototype, name);
  return made as Shape<Shown>;
}

interface Described {
  type: () => Shape<unknown> | [Shape<unknown>];
  description: string | undefined;
}
