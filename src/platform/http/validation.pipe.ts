import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { InvalidFields, type FieldProblem } from '../kernel/errors.js';

/** The API's stable code for each rule of class-validator. Our own rules are named by their code. */
const CODES: Record<string, string> = {
  isDefined: 'required',
  isString: 'wrong_type',
  isBoolean: 'wrong_type',
  isInt: 'wrong_type',
  isObject: 'wrong_type',
  isArray: 'wrong_type',
  nestedValidation: 'wrong_type',
  unknownValue: 'wrong_type',
  whitelistValidation: 'unknown_field',
  isIn: 'not_allowed',
  length: 'wrong_length',
  min: 'out_of_range',
  max: 'out_of_range',
};

/**
 * Returns the pipe that checks bodies and queries: it refuses unknown fields and reports every problem at
 * once.
 */
export function validationPipe(): ValidationPipe {
  return new DtoPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    validationError: { target: true },
    exceptionFactory: (errors: ValidationError[]) => {
      const hint = unwrapped(errors);
      const others = errors.filter(({ property }) => property !== hint?.field);
      return new InvalidFields([
        ...(hint ? [hint] : []),
        ...others.flatMap((error) => problemsOf(error)),
      ]);
    },
  });
}

/** Leaves parameters of the path to their own pipes: Nest would take `01` and `0x1` for 1. */
class DtoPipe extends ValidationPipe {
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }
}

/** Shows how fields are sent that stand beside the one object they belong into, where that is missing. */
function unwrapped(errors: ValidationError[]): FieldProblem | null {
  const stray = errors.find(({ constraints }) => constraints?.whitelistValidation);
  const [object, ...others] = errors.filter(isMissingObject);
  if (!stray || !object || others.length > 0) return null;
  const { property: field } = object;
  const meant = `{"${field}": {${JSON.stringify(stray.property)}: …}}`;
  return { field, code: 'required', message: `${field} is missing; did you mean ${meant}?` };
}

/** Tells whether what lacks is an object with fields of its own, by the type of the property. */
function isMissingObject({ target, property, constraints }: ValidationError): boolean {
  if (!target || !constraints?.isDefined) return false;
  const type: unknown = Reflect.getMetadata('design:type', target, property);
  return typeof type === 'function' && String(type).startsWith('class ');
}

function problemsOf(error: ValidationError, parent = ''): FieldProblem[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, text]) => {
    const code = CODES[rule] ?? rule;
    const message = code === 'unknown_field' ? 'is not a known field; leave it out' : text;
    return { field, code, message: `${field} ${message}.` };
  });
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, field))];
}
