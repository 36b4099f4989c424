export * from './all-fields.ts';
export type { Kind, Measure } from './kind.ts';
export * from './kinds.ts';
export * from './task.ts';
