export * from './button-fields.ts';
export * from './derive.ts';
export * from './experience-fields.ts';
export type { ElementTarget, Field, Fields, FieldType, PageElement, PageValues, Preset, Values } from './field.ts';
export { presets } from './field.ts';
export * from './imported-element.ts';
export * from './item-fields.ts';
export * from './part-fields.ts';
export * from './step-fields.ts';
