import { Expose, Transform } from 'class-transformer';

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

/** Reads a whole number; anything else is left as it is, for the validator to name. */
export function WholeNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value,
  );
}

/** The variable a property of Config is read from. */
export function variableOf(property: string): string {
  return variables.get(property) ?? property;
}

/** Every variable that Config reads, in the order of declaration. */
export function settingNames(): string[] {
  return [...variables.values()];
}
