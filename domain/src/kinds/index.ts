export * from './field-types.ts';
export type { Kind, Measure } from './kind.ts';
export * from './kinds.ts';
