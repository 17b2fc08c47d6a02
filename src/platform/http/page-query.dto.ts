import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { Optional } from '../kernel/validation.js';

/** A sentence about what was done. */
export class MessageDto {
  message: string;
}

export const PER_PAGE_MAX = 100;
const PAGE_MAX = 10_000_000;

/** Reads a whole number of a query. */
export const Digits = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

/** Selects a page of a list. */
export class PageQueryDto {
  /** Number of the page, from 1. */
  @Max(PAGE_MAX, { message: `must not be above ${PAGE_MAX}` })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' })
  @Digits()
  @Optional()
  page?: number;

  /** Entries on a page, 1 to 100. */
  @Max(PER_PAGE_MAX, { message: `must not be above ${PER_PAGE_MAX}` })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' })
  @Digits()
  @Optional()
  per_page?: number;

  /** Returns the requested page; null when the whole list is requested. */
  static page({ page, per_page }: PageQueryDto): { page: number; perPage: number } | null {
    if (page === undefined && per_page === undefined) return null;
    return { page: page ?? 1, perPage: per_page ?? PER_PAGE_MAX };
  }
}
