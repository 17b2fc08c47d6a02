import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';

/** A controller or a provider; each says itself which. */
type Part = Type | Provider;

/**
 * Makes a class the module of a room, from its parts by their names. They are there for every room: which of them may know
 * which is the business of `.dependency-cruiser.cjs`, and is said nowhere else.
 */
export function Room(parts: Readonly<Record<string, Part>>): ClassDecorator {
  const all = Object.values(parts);
  const controllers = all.filter(isController);
  const providers = all.filter((part) => !isController(part));
  const exports = providers.map(tokenOf).filter((token) => !String(token).startsWith('APP_'));
  return (target) => {
    Global()(target);
    Module({ controllers, providers, exports })(target);
  };
}

function isController(part: Part): part is Type {
  return Reflect.hasMetadata(CONTROLLER_WATERMARK, part);
}

function tokenOf(provider: Provider) {
  return typeof provider === 'function' ? provider : provider.provide;
}
