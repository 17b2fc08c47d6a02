export {
  ApiError,
  createClient,
  paginate,
  unwrap,
  type Client,
  type ClientOptions,
  type ListPath,
  type Problem,
  type Schemas,
} from './client.js';
export { verifyWebhook, type WebhookEvent } from './webhook.js';
