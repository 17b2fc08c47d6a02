/** How much was erased. */
export class ErasedDto {
  /** Submissions that are gone, with their files. */
  erased: number;
}
