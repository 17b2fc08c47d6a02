export { DocsRoutes } from './docs.js';
export { Documentation } from './documentation.js';
