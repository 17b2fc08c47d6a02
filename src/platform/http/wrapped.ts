import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { Required } from '../kernel/validation.js';

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
  IsObject({ message: 'must be an object' })(made.prototype, name);
  Type(() => inner)(made.prototype, name);
  ValidateNested()(made.prototype, name);
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
  return Object.assign(shaped<Record<Name, Inner>>(name, { type: () => inner, description }), {
    of,
  });
}

/** Makes the same of a list: `class FormListDto extends listOf('forms', FormDto) {}` writes `{"forms":[…]}`. */
export function listOf<Name extends string, From, Inner>(
  name: Name,
  inner: Writing<[From], Inner>,
  description?: string,
): Writing<[readonly From[]], Record<Name, Inner[]>> {
  const of = (all: readonly From[]) =>
    ({ [name]: all.map((each) => inner.of(each)) }) as Record<Name, Inner[]>;
  return Object.assign(shaped<Record<Name, Inner[]>>(name, { type: () => [inner], description }), {
    of,
  });
}

/** Makes a class with one member, which the API document has. */
function shaped<Shown>(name: string, { type, description }: Described): Shape<Shown> {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its member is made below
  const made = class {};
  ApiProperty({ type, ...(description !== undefined && { description }) })(made.prototype, name);
  return made as Shape<Shown>;
}

interface Described {
  type: () => Shape<unknown> | [Shape<unknown>];
  description: string | undefined;
}
