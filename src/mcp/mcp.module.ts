export { McpController } from './mcp.controller.js';
