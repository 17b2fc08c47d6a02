/** A sentence about what was done. */
export class MessageDto {
  message: string;
}
