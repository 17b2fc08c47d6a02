import { ConflictError, InvalidInputError, NotFoundError, fact } from '../../platform/index.js';

/** The value is no id of the provider. */
export class AliasMalformed extends InvalidInputError {
  constructor(message: string) {
    super('alias_malformed', message, [{ field: 'alias.value', code: 'alias_malformed', message }]);
  }
}

/** The value leads to another form, or once did for another account. */
export class AliasTaken extends ConflictError {
  /** @param form name of the form that it leads to; null where the caller may not know */
  constructor(value: string, form: string | null) {
    super(
      'alias_taken',
      form === null
        ? `“${value}” is taken on this service. Ask its operator if it is yours.`
        : `“${value}” already leads to the form “${form}”. Remove it there first.`,
    );
  }
}

/** The form has as many aliases as it can have. */
export class TooManyAliases extends fact(
  ConflictError,
  'too_many_aliases',
  (max: number) => `A form has at most ${max} aliases. Remove one first.`,
) {}

/** The form has no alias with this id. */
export class AliasNotFound extends fact(NotFoundError, 'alias_not_found', 'Alias not found.') {}
