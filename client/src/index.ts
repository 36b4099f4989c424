export type { Operations, Schemas, Webhooks } from './api.ts';
export type { RequestOptions, UsherOptions } from './core.ts';
export { type ParamError, UsherError } from './errors.ts';
export { identityHash, uidHash } from './identity.ts';
export type { ItemOf, ListOperation } from './lists.ts';
export { type SurveyLink, surveyLink } from './survey-link.ts';
export { type KindPath, type PullOptions, Usher } from './usher.ts';
export { readWebhook, type VerifyOptions, verifyWebhook, type WebhookPayload } from './webhooks.ts';
