import Type from 'typebox';
import { OneOf, OutputObject } from '../basics/schema.ts';
import { templateIds } from '../content/template-ids.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { banner } from './banner.ts';
import { featureAnnouncement } from './feature-announcement.ts';
import { newFeatureTooltip } from './new-feature-tooltip.ts';
import { nps } from './nps.ts';
import { onboardingChecklist } from './onboarding-checklist.ts';
import { buildTemplate, type Template } from './template.ts';
import { welcomeTour } from './welcome-tour.ts';

const definitions = [welcomeTour, featureAnnouncement, newFeatureTooltip, nps, onboardingChecklist, banner];
let built: readonly Template[] | undefined;

/** Lists the templates, in the order in which people see them. */
export function listTemplates(): readonly Template[] {
  built ??= definitions.map(buildTemplate);
  return built;
}

/** A template in responses. The translations name the Experience itself by `model_id`. */
export const TemplateOutput = OutputObject({
  id: OneOf(templateIds),
  kind: OneOf(experienceKinds),
  name: Type.String(),
  description: Type.String(),
  model_id: Type.String(),
  document: Type.Record(Type.String(), Type.Unknown()),
  translations: Type.Record(Type.String(), Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))),
});
