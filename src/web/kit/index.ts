export * from './answers.js';
export * from './web-controller.js';
