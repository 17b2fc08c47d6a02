import { Transform } from 'class-transformer';
import { IsIn, IsInt, MaxLength, Min } from 'class-validator';
import { PageQueryDto, PER_PAGE_MAX } from '../../platform/http/page-query.dto.js';
import { Optional } from '../../platform/kernel/validation.js';
import {
  orderOf,
  ORDERS,
  type FleetFilter,
  type FleetOrder,
  type OrderName,
} from '../fleet-filter.js';

/** Longest search, in characters. */
const QUERY_MAX = 255;

/** Asks for a page of the fleet. */
export class FleetQueryDto extends PageQueryDto {
  /** Words that the name must have, in any case. */
  @MaxLength(QUERY_MAX, { message: `must not exceed ${QUERY_MAX} characters` })
  @Optional()
  q?: string;

  /** Only forms that this client sees. */
  @Min(1, { message: 'must be the id of a client' })
  @IsInt({ message: 'must be the id of a client' })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @Optional()
  client_id?: number;

  /** `true` for forms with warnings alone. */
  @IsIn(['true', 'false'], { message: 'must be true or false' })
  @Optional()
  problems?: 'true' | 'false';

  /** Column to sort by; a minus in front turns the order round. The oldest form is first by default. */
  @IsIn(ORDERS, { message: `must be one of ${ORDERS.join(', ')}` })
  @Optional()
  sort?: OrderName;

  static filter({ q, client_id, problems }: FleetQueryDto): FleetFilter {
    return { q: q?.trim() ?? '', clientId: client_id ?? null, hasProblems: problems === 'true' };
  }

  static order({ sort }: FleetQueryDto): FleetOrder {
    return orderOf(sort ?? 'created');
  }

  static slice(query: FleetQueryDto): { page: number; perPage: number } {
    return PageQueryDto.page(query) ?? { page: 1, perPage: PER_PAGE_MAX };
  }

  /** Returns the parameters that the links to other pages repeat. */
  static others({ q, client_id, problems, sort }: FleetQueryDto): URLSearchParams {
    return new URLSearchParams({
      ...(q !== undefined && { q }),
      ...(client_id !== undefined && { client_id: String(client_id) }),
      ...(problems !== undefined && { problems }),
      ...(sort !== undefined && { sort }),
    });
  }
}
