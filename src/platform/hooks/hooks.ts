import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

type Method = (...args: never[]) => unknown;

/** Marks a method of a provider that follows an event, or answers a question, of a room below. */
type Hook<Of extends Method, About> = (
  about: About,
) => <Given extends Of>(target: object, key: string, method: TypedPropertyDescriptor<Given>) => void;

const MARK = Symbol('hook');

/**
 * Declares an event or a question of a room. Providers of the rooms above mark the methods that follow or answer it, so
 * that the room calls them without knowing them. Who does is found by the name of the mark: `@ClientDeleted()`.
 * @template About what a mark says about its method
 */
export function hook<Of extends Method, About = void>(): Hook<Of, About> {
  const mark: Hook<Of, About> = (about) => (_target, _key, method) => {
    Reflect.defineMetadata(MARK, { mark, about }, method.value as object);
  };
  return mark;
}

/** Calls the methods that providers marked as hooks. */
@Injectable()
export class Hooks {
  private found: { mark: unknown; about: unknown; run: Method }[] | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Returns the marked methods with what is said about them. */
  all<Of extends Method, About>(hook: Hook<Of, About>): { about: About; run: Of }[] {
    this.found ??= this.find();
    // The mark was checked against the type of its hook where it was set.
    return this.found.filter(({ mark }) => mark === hook) as unknown as { about: About; run: Of }[];
  }

  /** Calls the methods that follow an event, one after the other. */
  async run<Args extends unknown[]>(hook: Hook<(...args: Args) => unknown, void>, ...args: Args) {
    for (const { run } of this.all(hook)) await run(...args);
  }

  /** Asks the method that answers a question. */
  ask<Args extends unknown[], Answer>(hook: Hook<(...args: Args) => Answer, void>, ...args: Args): Answer {
    const [answering] = this.all(hook);
    if (!answering) throw new Error('No provider answers.');
    return answering.run(...args);
  }

  private find() {
    const providers = this.discovery.getProviders().map((each) => each.instance as unknown);
    return providers.filter(isObject).flatMap((instance) => {
      const methods = this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object);
      return methods.flatMap((name) => {
        const method = instance[name] as Method;
        const marked = Reflect.getMetadata(MARK, method) as { mark: unknown; about: unknown } | undefined;
        return marked ? [{ ...marked, run: (...args: never[]) => (instance[name] as Method)(...args) }] : [];
      });
    });
  }
}

function isObject(instance: unknown): instance is Record<string, unknown> {
  return typeof instance === 'object' && instance !== null;
}
