/** Whether a value was submitted. */
export class ValueExistsDto {
  exists: boolean;
}
