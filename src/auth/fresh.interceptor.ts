import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ProofRequired } from '../access/access.errors.js';
import type { PageRequest } from './session.guard.js';

/**
 * Asks a person to show once more who they are. It runs once the form is read, so that the page that
 * asks can carry along what was typed.
 */
@Injectable()
class FreshInterceptor implements NestInterceptor {
  /** @throws ProofRequired */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { signedIn } = context.switchToHttp().getRequest<PageRequest>();
    if (!signedIn?.isFresh) throw new ProofRequired();
    return next.handle();
  }
}

/**
 * Marks a page that is opened by those alone who showed who they are within the last ten minutes;
 * others are asked, and come back with all that they had typed.
 */
export const Fresh = () => applyDecorators(UseInterceptors(FreshInterceptor));
