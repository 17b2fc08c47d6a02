import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Scope } from '../../access/principal.js';
import { FormsService, type FormSummary } from '../../forms/forms.service.js';
import { NotFoundError } from '../../platform/kernel/errors.js';
import { WarningsService, type Warning } from '../../warnings/warnings.service.js';

/** A form that does not do all that its owner thinks, and why. */
export interface Trouble {
  name: string;
  identifier: string;
  warnings: Warning[];
}

/** What the head of every page says about forms in trouble. */
export interface TroubleSummary {
  forms: number;
  /** What they all have in common, if they do. */
  code: string | null;
}

/** Forms that are looked at for one scope, the oldest: each takes some ten small queries. */
const FORMS_MAX = 200;
/** How old an answer may be, in milliseconds. */
const FRESH_MS = 30_000;
/** Scopes whose answers are kept. */
const SCOPES_MAX = 1_000;

/** Knows which forms need attention, and remembers it for a while: every page says how many. */
@Injectable()
export class Troubles implements OnModuleDestroy {
  private readonly logger = new Logger(Troubles.name);
  private readonly known = new Map<string, { troubles: Trouble[]; at: number }>();
  private readonly asking = new Map<string, Promise<Trouble[]>>();

  constructor(
    private readonly forms: FormsService,
    private readonly warnings: WarningsService,
  ) {}

  /** Returns what is known of the scope. When that is old it is asked anew, and nobody waits. */
  async summary(scope: Scope): Promise<TroubleSummary> {
    const known = this.known.get(keyOf(scope));
    const isFresh = known !== undefined && performance.now() - known.at < FRESH_MS;
    const asking = isFresh ? null : this.of(scope).catch(this.logFailure);
    const troubles = known?.troubles ?? (await asking) ?? [];
    const codes = new Set(troubles.flatMap(({ warnings }) => warnings.map(({ code }) => code)));
    const [code = null] = codes;
    return { forms: troubles.length, code: codes.size === 1 ? code : null };
  }

  /** Returns the forms of the scope that need attention now. */
  of(scope: Scope): Promise<Trouble[]> {
    const key = keyOf(scope);
    const asking = this.asking.get(key) ?? this.ask(scope, key);
    this.asking.set(key, asking);
    return asking;
  }

  /**
   * Returns what one form needs now.
   * @throws FormNotFound
   */
  async ofForm(scope: Scope, form: Pick<FormSummary, 'name' | 'identifier'>): Promise<Warning[]> {
    const { name, identifier } = form;
    const warnings = await this.warnings.listFor(scope, identifier);
    const known = this.known.get(keyOf(scope));
    if (known) {
      const others = known.troubles.filter((trouble) => trouble.identifier !== identifier);
      known.troubles = [...others, ...troubleOf(name, identifier, warnings)];
    }
    return warnings;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.asking.values());
  }

  private async ask(scope: Scope, key: string): Promise<Trouble[]> {
    try {
      const troubles: Trouble[] = [];
      const forms = await this.forms.list(scope, { page: 1, perPage: FORMS_MAX });
      for (const { name, identifier } of forms) {
        // One may be deleted while the others are asked about.
        const warnings = await this.warnings.listFor(scope, identifier).catch(ignoreMissing);
        troubles.push(...troubleOf(name, identifier, warnings));
      }
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

function troubleOf(name: string, identifier: string, warnings: Warning[]): Trouble[] {
  return warnings.length === 0 ? [] : [{ name, identifier, warnings }];
}

function ignoreMissing(error: unknown): Warning[] {
  if (error instanceof NotFoundError) return [];
  throw error;
}

function keyOf({ accountId, clientId }: Scope): string {
  return `${accountId}/${clientId ?? ''}`;
}
