import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsDefined, IsObject, IsString, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { parseTimeZone } from './time.js';

/** Marks a field that may be left out. It may be null only if `nullable`. */
export function Optional({ nullable = false } = {}): PropertyDecorator {
  return ValidateIf((_, value: unknown) => value !== undefined && !(nullable && value === null));
}

/** Marks a field that is required and must not be null. */
export function Required(): PropertyDecorator {
  return IsDefined({ message: 'is required' });
}

/** Requires text of at most `max` characters (code points), without surrounding blanks if `trim`. */
export function Text({ min = 0, max, trim = false }: TextOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (trim && typeof value === 'string' ? value.trim() : value)),
    ValidateBy({
      name: 'length',
      validator: {
        validate: (value) => {
          const length = typeof value === 'string' ? Array.from(value).length : min;
          return length >= min && length <= max;
        },
        defaultMessage: () => (min > 0 ? `must have ${min} to ${max} characters` : `must not exceed ${max} characters`),
      },
    }),
    ValidateBy({
      name: 'not_unicode',
      validator: {
        validate: isUnicode,
        defaultMessage: () => 'must not contain half of a character (a lone surrogate)',
      },
    }),
    IsString({ message: 'must be a string' }),
  );
}

interface TextOptions {
  min?: number;
  max: number;
  trim?: boolean;
}

/** Requires `true` or `false`, as JSON writes them. */
export function Flag(): PropertyDecorator {
  return IsBoolean({ message: 'must be true or false' });
}

/** Requires an object, which its own class checks. */
export function Nested(inner: () => new () => object, message = 'must be an object') {
  return applyDecorators(IsObject({ message }), Type(inner), ValidateNested());
}

/**
 * Brings input into its normal form, or refuses it.
 * @param code the stable word for the broken rule
 * @param parse returns the normal form, or null when the input has none
 * @param message says what is expected, with an example
 */
export function Parsed(code: string, parse: (value: unknown) => unknown, message: string): PropertyDecorator {
  const read = (value: unknown) => (isUnicode(value) ? parse(value) : null);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (value == null ? value : (read(value) ?? value))),
    ValidateBy({ name: code, validator: { validate: (value) => read(value) !== null, defaultMessage: () => message } }),
  );
}

/** Requires the IANA name of a time zone, such as `Europe/Berlin`. */
export function Zone(): PropertyDecorator {
  return Parsed('wrong_time_zone', parseTimeZone, 'must be a time zone such as Europe/Berlin');
}

/** Tells whether a text has no lone surrogate, which databases, URLs and mails cannot carry. */
function isUnicode(value: unknown) {
  return typeof value !== 'string' || value.isWellFormed();
}
