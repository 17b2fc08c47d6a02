import { DaysDto } from '../../days-query.dto.js';
import type { Days } from '../../span.js';
import type { FieldTop, Top } from '../facets.service.js';

/** A value with its number of submissions. */
export class TopValueDto {
  /** A page as its path, an origin, a country by its two letters, or a value; null when the browser did not say. */
  value: string | null;
  /** Those that are not spam. */
  submissions: number;
  /** The line of a filter that finds them in lists and exports; null when no line can say it. */
  q: string | null;
}

/** Values with the most submissions. */
export class TopDto {
  /** Those with most first. */
  values: TopValueDto[];
  /** How many submissions had something else, or what is not named. */
  other: number;

  static of({ values, other }: Top): TopDto {
    return {
      values: values.map(({ value, submissions, line }) => ({
        value: value === '' ? null : value,
        submissions,
        q: line,
      })),
      other,
    };
  }
}

/** From where submissions came. */
export class PageStatisticsDto extends DaysDto {
  /** Paths of pages without query, the ten with most submissions. */
  pages: TopDto;
  /** Origins of pages, such as `https://example.com`, the ten with most submissions. */
  origins: TopDto;

  static of({ from, to, zone }: Days, found: { pages: Top; origins: Top }): PageStatisticsDto {
    const [pages, origins] = [TopDto.of(found.pages), TopDto.of(found.origins)];
    return { from, to, zone, pages, origins };
  }
}

/** From which countries submissions came. */
export class CountryStatisticsDto extends DaysDto {
  /** The ten with most submissions; empty unless `COUNTRY_HEADER` is set. */
  countries: TopDto;

  static of({ from, to, zone }: Days, countries: Top): CountryStatisticsDto {
    return { from, to, zone, countries: TopDto.of(countries) };
  }
}

/** The values of a field. */
export class FieldStatisticsDto extends TopDto {
  /** Its name. */
  field: string;

  static override of(found: FieldTop): FieldStatisticsDto {
    const { values, other } = TopDto.of(found);
    return { field: found.field, values, other };
  }
}

/** The values of fields that have few. */
export class ValueStatisticsDto extends DaysDto {
  /** In the order of their names. */
  fields: FieldStatisticsDto[];

  static of({ from, to, zone }: Days, fields: readonly FieldTop[]): ValueStatisticsDto {
    const shown = fields.map((each) => FieldStatisticsDto.of(each));
    return { from, to, zone, fields: shown };
  }
}
