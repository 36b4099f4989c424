import Type from 'typebox';
import { OneOf, OutputObject } from '../basics/schema.ts';
import { templateIds, templatePurposes } from '../content/template-ids.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { feedback } from './feedback.ts';
import { launch } from './launch.ts';
import { onboarding } from './onboarding.ts';
import { support } from './support.ts';
import { buildTemplate, type Template } from './template.ts';
import { upsell } from './upsell.ts';

let built: readonly Template[] | undefined;

/** Lists the templates, in the order in which people see them. */
export function listTemplates(): readonly Template[] {
  built ??= [...onboarding, ...launch, ...feedback, ...upsell, ...support].map(buildTemplate);
  return built;
}

/** A template in responses. The translations name the Experience itself by `model_id`. */
export const TemplateOutput = OutputObject({
  id: OneOf(templateIds),
  purpose: OneOf(templatePurposes),
  kind: OneOf(experienceKinds),
  name: Type.String(),
  description: Type.String(),
  model_id: Type.String(),
  document: Type.Record(Type.String(), Type.Unknown()),
  translations: Type.Record(Type.String(), Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))),
});
