/** A token for the field `_token`. */
export class FormTokenDto {
  /** Good for a day, and for this form alone. */
  token: string;
}
