import { applyDecorators } from '@nestjs/common';
import { Expose, plainToInstance, Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy, validateSync } from 'class-validator';
import { isAcceptableSecret } from '../kernel/token-secret.js';
import { givenValue } from './given-value.js';

/** Class of settings -> its properties -> the environment variable each is read from. */
const variables = new Map<object, Map<string, string>>();

/**
 * Binds a property to an environment variable, or to the file that `NAME_FILE` names. An empty variable counts as unset,
 * so that `NAME=` in a compose file or `.env` means the default.
 */
export function Setting(variable: string): PropertyDecorator {
  return (target, property) => {
    const ofClass = variables.get(target.constructor) ?? new Map<string, string>();
    variables.set(target.constructor, ofClass.set(String(property), variable));
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

/** Requires a token that a header can carry; `more` ends the message. */
export function BearerSecret(more = ''): PropertyDecorator {
  return ValidateBy({
    name: 'bearer_secret',
    validator: {
      validate: (value) => typeof value === 'string' && isAcceptableSecret(value),
      defaultMessage: () =>
        `must have 24 to 255 characters from A-Z a-z 0-9 - . _ ~ + / with = only at the end${more}`,
    },
  });
}

/**
 * Reads the settings of a class and checks them.
 * @param problems gets a sentence for each wrong one, with the variable and the fix
 */
export function readSettings<T extends object>(
  Settings: new () => T,
  environment: Record<string, string | undefined>,
  problems: string[],
): T {
  const names = variables.get(Settings) ?? new Map<string, string>();
  const given = [...names.values()]
    .map((name) => [name, givenValue(name, environment, problems)] as const)
    .filter(([, value]) => value !== undefined);
  const settings = plainToInstance(Settings, Object.fromEntries(given), {
    exposeDefaultValues: true,
  });
  for (const { property, constraints } of validateSync(settings)) {
    const sentence = Object.values(constraints ?? {})[0] ?? 'is not valid';
    problems.push(`${names.get(property) ?? property} ${sentence}.`);
  }
  return settings;
}

/** Returns every variable that is read, in the order of declaration. */
export function settingNames(): string[] {
  return [...variables.values()].flatMap((names) => [...names.values()]);
}
