import { Global, Module, type ModuleMetadata, type Provider } from '@nestjs/common';

/**
 * Makes a class the module of a room. Its providers are there for every room: which of them may know which is the business
 * of `.dependency-cruiser.cjs`, and is said nowhere else.
 */
export function Room({
  controllers = [],
  providers = [],
}: Pick<ModuleMetadata, 'controllers' | 'providers'>): ClassDecorator {
  const exports = providers.map(tokenOf).filter((token) => !String(token).startsWith('APP_'));
  return (target) => {
    Global()(target);
    Module({ controllers, providers, exports })(target);
  };
}

function tokenOf(provider: Provider) {
  return typeof provider === 'function' ? provider : provider.provide;
}
