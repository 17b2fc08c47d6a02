export * from './content.js';
export * from './controls.js';
export * from './setting.js';
export * from './typed.js';
