import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';

/** A controller or a provider; each says itself which. */
type Part = Type | Provider;

/**
 * Makes the module of a room, from what its file exports. Its parts are there for every room: which of them may know which
 * is the business of `.dependency-cruiser.cjs`, and is said nowhere else.
 */
export function room(parts: Readonly<Record<string, Part | readonly Part[]>>): Type {
  const all = Object.values(parts).flat();
  const controllers = all.filter(isController);
  const providers = all.filter((part) => !isController(part));
  const exports = providers.map(tokenOf).filter((token) => !String(token).startsWith('APP_'));
  @Global()
  @Module({ controllers, providers, exports })
  class Room {}
  return Room;
}

function isController(part: Part): part is Type {
  return Reflect.hasMetadata(CONTROLLER_WATERMARK, part);
}

function tokenOf(provider: Provider) {
  return typeof provider === 'function' ? provider : provider.provide;
}
