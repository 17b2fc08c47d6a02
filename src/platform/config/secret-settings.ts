import { ValidateBy } from 'class-validator';
import { commaList } from '../kernel/text/comma-list.js';
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
        typeof value === 'string' && commaList(value).every(({ length }) => length >= KEY_MIN),
      defaultMessage: () =>
        `must have at least ${KEY_MIN} characters; to change it, put the new key first, then a comma and the old one`,
    },
  })
  private readonly givenKeys: string = '';

  /** Returns the keys that open secrets, the first of which seals; none: one in a file of DATA_DIR. */
  get keys(): string[] {
    return commaList(this.givenKeys);
  }
}
