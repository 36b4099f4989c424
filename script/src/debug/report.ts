import type { Snapshot } from './collect.ts';

/** Formats the content of the panel as plain text, for an issue or a message. */
export function formatReport({ problem, entries, requests, user, script }: Snapshot): string {
  const terms = (values: [string, string][]) => values.map(([name, value]) => `  ${name}: ${value}`);
  return [
    'Usher debug report',
    ...(problem ? [problem] : []),
    'Experiences',
    ...entries.flatMap(({ state, kind, name, id, notes }) => [
      `  ${state}: ${kind} “${name}” ${id}`,
      ...notes.map((note) => `    ${note}`),
    ]),
    'Requests',
    ...requests.map((line) => `  ${line}`),
    'User',
    ...terms(user),
    'Page and script',
    ...terms(script),
    `  Browser: ${navigator.userAgent}, ${innerWidth} × ${innerHeight}`,
  ].join('\n');
}
