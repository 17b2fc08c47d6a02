export { Projections } from './projections.js';
