import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Principal, Scope } from '../../access/principal.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FormSummary } from '../../forms/form-queries.service.js';
import {
  concerning,
  isUnwanted,
  NOT_OF_A_FORM,
  type Warning,
  type WarningCode,
} from '../../warnings/warning.js';
import { WarningsService } from '../../warnings/warnings.service.js';

/** A form with warnings. */
export interface Trouble {
  name: string;
  identifier: string;
  warnings: Warning[];
}

/** A cause of warnings, as the sentence above every page names it. */
export interface Cause {
  code: WarningCode;
  /** Number of forms that have it of their own; 0 where it concerns all alike. */
  forms: number;
}

/** Most forms that are checked for one scope, oldest first. */
const FORMS_MAX = 200;
/** Age in milliseconds up to which warnings are served from memory. */
const FRESH_MS = 30_000;
/** Most scopes whose warnings are kept in memory. */
const SCOPES_MAX = 1_000;

/** Tells whether somebody is told of warnings: members are, and people of a client who may change its forms. */
export function isTold(principal: Principal): boolean {
  return principal.clientId === null ? principal.has('forms:read') : principal.has('forms:write');
}

/** Finds forms with warnings, and keeps the result for 30 s, since every page shows their number. */
@Injectable()
export class Troubles implements OnModuleDestroy {
  private readonly logger = new Logger(Troubles.name);
  private readonly known = new Map<string, { troubles: Trouble[]; at: number }>();
  private readonly asking = new Map<string, Promise<Trouble[]>>();

  constructor(private readonly warnings: WarningsService) {}

  /**
   * Returns the causes of warnings for somebody, none for who is not told: first what concerns all forms, then what most
   * have. An old result is returned too, and renewed in the background.
   */
  async causes(principal: Principal): Promise<Cause[]> {
    const troubles = await this.lately(principal);
    const codes = troubles.flatMap(({ warnings }) => [
      ...new Set(warnings.map(({ code }) => code)),
    ]);
    const causes = [...new Set(codes)].map((code) => ({
      code,
      forms: NOT_OF_A_FORM.has(code) ? 0 : codes.filter((each) => each === code).length,
    }));
    return causes.toSorted((a, b) => (a.forms && b.forms ? b.forms - a.forms : a.forms - b.forms));
  }

  /** Returns the forms that had warnings lately; an old result is returned too, and renewed in the background. */
  async lately(principal: Principal): Promise<Trouble[]> {
    if (!isTold(principal)) return [];
    const known = this.known.get(keyOf(principal));
    const isFresh = known !== undefined && performance.now() - known.at < FRESH_MS;
    const asking = isFresh ? null : this.of(principal).catch(this.logFailure);
    return known?.troubles ?? (await asking) ?? [];
  }

  /** Returns the forms that have warnings now which concern somebody. */
  of(principal: Principal): Promise<Trouble[]> {
    if (!isTold(principal)) return Promise.resolve([]);
    const key = keyOf(principal);
    const asking = this.asking.get(key) ?? this.ask(principal, key);
    this.asking.set(key, asking);
    return asking;
  }

  /**
   * Returns the warnings of one form now which concern somebody.
   * @throws FormNotFound
   */
  async ofForm(
    principal: Principal,
    form: Pick<Form, 'name' | 'identifier' | 'madeByClientId'>,
  ): Promise<Warning[]> {
    if (!isTold(principal)) return [];
    const { identifier } = form;
    const all = await this.warnings.listFor(principal, identifier);
    const warnings = concerning(principal, form, all);
    const known = this.known.get(keyOf(principal));
    if (known) {
      const others = known.troubles.filter((trouble) => trouble.identifier !== identifier);
      known.troubles = [...others, ...troubleOf(form, warnings)];
    }
    return warnings;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.asking.values());
  }

  private async ask(principal: Principal, key: string): Promise<Trouble[]> {
    try {
      const found = await this.warnings.listForFirst(principal, FORMS_MAX);
      const troubles = found.flatMap(({ form, warnings }) =>
        troubleOf(form, concerning(principal, form, warnings)),
      );
      if (this.known.size >= SCOPES_MAX) this.known.clear();
      this.known.set(key, { troubles, at: performance.now() });
      return troubles;
    } finally {
      this.asking.delete(key);
    }
  }

  private readonly logFailure = (error: unknown): null => {
    this.logger.warn('Warnings could not be read', { error });
    return null;
  };
}

function troubleOf(
  { name, identifier }: Pick<FormSummary, 'name' | 'identifier'>,
  all: Warning[],
): Trouble[] {
  const warnings = all.filter(isUnwanted);
  return warnings.length === 0 ? [] : [{ name, identifier, warnings }];
}

function keyOf({ accountId, clientId }: Scope): string {
  return `${accountId}/${clientId ?? ''}`;
}
