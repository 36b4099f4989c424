/*
 * The links of Home. A path of a page that this dashboard does not have, or that the person may not open, is not shown
 * as a link.
 */

export type StepName = 'install' | 'domain' | 'create' | 'publish';

/** The page on which a step of "Get started" is done. */
export const stepPages: Record<StepName, string> = {
  install: '/app/settings/install',
  domain: '/app/domains',
  create: '/app/experiences',
  publish: '/app/experiences',
};

/** The exact address: the templates, or the draft that waits to be published. Undefined if there is none yet. */
export function stepPath(step: StepName, draftId: string | undefined): string | undefined {
  if (step === 'create') return `${stepPages.create}?dialog=new`;
  if (step === 'publish') return draftId && `${stepPages.publish}/${draftId}`;
  return stepPages[step];
}

/** The pages where an entry that needs attention can be fixed, by the type of its target. */
export const attentionPaths: Partial<Record<string, string>> = {
  webhook: '/app/settings/webhooks',
  secret: '/app/settings/secrets',
  server: '/app/settings/health',
  proposal: '/app/proposals',
};
