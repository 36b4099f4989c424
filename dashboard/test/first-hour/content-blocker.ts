import type { BrowserContext } from 'playwright-core';

/** Words of paths that lists of content blockers stop, also on the domain of the page. */
const words = [
  /[/_.-](analytics|telemetry|tracking|tracker|trackers|pixel|beacon)[/_.?-]/,
  /\/(collect|track|event|events|log|pageview|visit)\?/,
  /\/(ads?|adserver|banner|banners|popup|popups)[/_.-]/,
  /[/_.-](onboarding|product-tour|guide|survey|nps|feedback|usher)[/_.-]/,
  /-\d+x\d+\.(png|gif|webp)$/,
];

/** Blocks what typical rules block: all requests to other hosts, and paths with certain words. Returns what was blocked. */
export async function blockAsUsersDo(context: BrowserContext): Promise<string[]> {
  const blocked: string[] = [];
  await context.route('**/*', async (route) => {
    const request = route.request();
    const { host, pathname, search } = new URL(request.url());
    const isNavigation = request.isNavigationRequest();
    const isOfPage = isNavigation || host === new URL(request.frame().url()).host;
    if (!isNavigation && (!isOfPage || words.some((word) => word.test(pathname + search)))) {
      blocked.push(request.url());
      return route.abort('blockedbyclient');
    }
    return route.continue();
  });
  return blocked;
}
