/** Says in a sentence what was done. */
export class MessageDto {
  message: string;
}
