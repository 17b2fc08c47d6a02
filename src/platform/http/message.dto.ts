/** Says in words what was done. */
export class MessageDto {
  message: string;
}
