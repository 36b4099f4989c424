/*
 * Where Home leads. A path of a page that this dashboard does not have, or that the person may not open, is not shown as a link.
 */

export type StepName = 'install' | 'domain' | 'create' | 'publish';

/** Where a step of "Get started" is done. The demo site shows what an Experience is, if this server has one. */
export function stepPath(step: StepName, demoUrl: string | null): string | null {
  const paths: Record<StepName, string | null> = {
    install: '/app/settings/install',
    domain: '/app/domains',
    create: demoUrl,
    publish: demoUrl,
  };
  return paths[step];
}

/** Where to do something about what needs attention, by the type of its target. */
export const attentionPaths: Partial<Record<string, string>> = {
  webhook: '/app/settings/webhooks',
  secret: '/app/settings/secrets',
};
