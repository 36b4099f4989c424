import type { TestProject } from 'vitest/node';
import { startNodeRed } from '../start/node-red.ts';
import { startPages } from '../start/pages.ts';
import { startUsher, type UsherServer } from '../start/usher.ts';
import { startVerdaccio } from '../start/verdaccio.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    usher: UsherServer;
    /** The addresses where the applications are, each with a slash at the end. */
    hosts: Record<'nodeRed' | 'verdaccio' | 'pages', string>;
  }
}

/** Starts Usher and the applications once for all test files. */
export default async function setup(project: TestProject) {
  const { stop, ...usher } = await startUsher();
  const started = await Promise.all([startNodeRed(usher), startVerdaccio(usher), startPages(usher)]);
  const [nodeRed, verdaccio, pages] = started;
  project.provide('usher', usher);
  project.provide('hosts', { nodeRed: nodeRed.url, verdaccio: verdaccio.url, pages: pages.url });
  return async () => {
    await Promise.all([...started.map((one) => one.stop()), stop()]);
  };
}
