import { ValidateBy } from 'class-validator';
import { Setting } from './setting.decorator.js';

/** Shortest key, in characters. */
const KEY_MIN = 32;

/** Holds the keys that seal stored secrets. */
export class SecretSettings {
  @Setting('SECRET_KEY')
  @ValidateBy({
    name: 'secret_key',
    validator: {
      validate: (value) =>
        typeof value === 'string' && keysIn(value).every(({ length }) => length >= KEY_MIN),
      defaultMessage: () =>
        `must have at least ${KEY_MIN} characters; to change it, put the new key first, then a comma and the old one`,
    },
  })
  private readonly givenKeys: string = '';

  /** Returns the keys that open secrets, the first of which seals; none: one in a file of DATA_DIR. */
  get keys(): string[] {
    return keysIn(this.givenKeys);
  }
}

function keysIn(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}
