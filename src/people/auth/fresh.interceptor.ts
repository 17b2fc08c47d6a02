import {
  Injectable,
  type ExecutionContext,
  type CallHandler,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { PageRequest } from './session.guard.js';
import { OnlyLooking, ProofRequired } from '../../accounts/access/principal.js';
import { ProofsService } from '../sign-in-methods/proofs.service.js';

/**
 * Refuses people whose proof is too old. It runs after the form is read, unlike a guard, so that the
 * page that asks for the proof can repeat what was typed.
 */
@Injectable()
export class FreshInterceptor implements NestInterceptor {
  constructor(private readonly proofs: ProofsService) {}

  /** @throws ProofRequired, and OnlyLooking to an owner who sees the pages as somebody else */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { signedIn } = context.switchToHttp().getRequest<PageRequest>();
    if (signedIn?.view) throw new OnlyLooking();
    if (!signedIn?.isFresh) {
      throw new ProofRequired(signedIn ? await this.proofs.waysOf(signedIn.person) : []);
    }
    return next.handle();
  }
}
