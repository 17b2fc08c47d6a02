import { applyDecorators } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/** Property of Config -> the environment variable it is read from. */
const variables = new Map<string, string>();

/**
 * Binds a property of Config to an environment variable. An empty variable counts as unset, so that
 * `NAME=` in a compose file or `.env` means the default.
 */
export function Setting(variable: string): PropertyDecorator {
  return (target, property) => {
    variables.set(String(property), variable);
    Expose({ name: variable })(target, property);
  };
}

/** Requires a whole number from `min` to `max`; `unit` and `example` are for the message. */
export function WholeNumber(
  min: number,
  max: number,
  unit: string,
  example: number,
): PropertyDecorator {
  const message = `must be a whole number${unit && ` of ${unit}`} from ${min} to ${max}, such as ${example}`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** Returns the variable that a property of Config is read from. */
export function variableOf(property: string): string {
  return variables.get(property) ?? property;
}

/** Returns every variable that Config reads, in the order of declaration. */
export function settingNames(): string[] {
  return [...variables.values()];
}
