export * from './button-fields.ts';
export * from './derive.ts';
export * from './experience-fields.ts';
export type {
  ElementTarget,
  EventTrigger,
  Field,
  Fields,
  FieldType,
  NextRule,
  PageElement,
  PageValues,
  Preset,
  Question,
  QuestionName,
  Values,
} from './field.ts';
export { presets } from './field.ts';
export * from './goal-fields.ts';
export * from './imported-element.ts';
export * from './item-fields.ts';
export * from './part-fields.ts';
export * from './question.ts';
export * from './question-fields.ts';
export * from './rules.ts';
export * from './step-fields.ts';
