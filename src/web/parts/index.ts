export * from './content.js';
export * from './controls.js';
export * from './qr-code.js';
export * from './setting.js';
export * from './typed.js';
