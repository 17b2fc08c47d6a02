export { ApiDocs } from './docs.js';
