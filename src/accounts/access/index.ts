export * from './access.decorators.js';
export * from './principal.js';
