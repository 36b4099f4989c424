import type { VisitOutput } from '@usher/domain';
import { callServer, isAddress, readServer } from './call-server.ts';
import { CommandError, UsageError } from './errors.ts';

/*
 * Prints what a user would see on a page, and why everything else does not show. A running server decides it and records
 * nothing.
 */

export interface VisitOptions {
  uid?: string;
  /** The address of the page. */
  url?: string;
  server?: string;
  secret?: string;
  json?: boolean;
}

export async function runVisit(
  options: VisitOptions,
  env: Record<string, string | undefined>,
  print: (text: string) => void,
): Promise<void> {
  const { uid, url: href } = options;
  if (!uid) throw new UsageError('give --uid, the ID that your product has for the user');
  if (!href || !isAddress(href))
    throw new UsageError('give --url, the address of the page, such as https://app.example.com/dashboard');
  const { server, secret } = readServer(options, env);
  const visit = await explainVisit(server, secret, { uid, href, explain: true });
  print(options.json ? `${JSON.stringify(visit)}\n` : formatVisit(visit, uid, href));
}

async function explainVisit(server: string, secret: string, params: object): Promise<VisitOutput> {
  const response = await callServer(server, secret, '/v3/observe/visits', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(params),
  });
  const body = (await response.json().catch(() => undefined)) as (VisitOutput & { messages?: string[] }) | undefined;
  if (response.ok && body?.explanations) return body;
  throw new CommandError(body?.messages?.join('\n') ?? `${server} answered ${response.status}: is it an Usher?`);
}

type Explanation = NonNullable<VisitOutput['explanations']>[number];

function formatVisit(
  { known, deliveries, experiences, explanations = [] }: VisitOutput,
  uid: string,
  href: string,
): string {
  const positions = new Map(experiences.map(({ id }, at) => [id, at]));
  const positionOf = ({ id }: Explanation) => positions.get(id) ?? positions.size;
  const shown = explanations.filter(({ shows }) => shows).sort((one, other) => positionOf(one) - positionOf(other));
  const names = new Map(explanations.map(({ id, name }) => [id, name]));
  return [
    [`The user ${uid} on ${href}`, ...(known ? [] : ['This user was never seen: a new one gets this.'])],
    shown.length === 0 ? ['Nothing shows.'] : formatSection('Shows', shown.map(toEntry)),
    formatSection(
      'Deliveries, in their order',
      deliveries.map(({ id, model_id, model_kind, ready, reasons = [] }) => ({
        line: `${model_kind.padEnd(9)} ${names.get(model_id) ?? model_id}  ${id}  ${ready ? 'ready' : 'not ready'}`,
        reasons,
      })),
    ),
    formatSection('Does not show', explanations.filter(({ shows }) => !shows).map(toEntry)),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${withoutControls(line)}\n`).join(''))
    .join('\n');
}

interface Entry {
  line: string;
  reasons: readonly string[];
}

function toEntry({ id, kind, name, reasons }: Explanation): Entry {
  return { line: `${kind.padEnd(9)} ${name}  ${id}`, reasons };
}

function formatSection(title: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  return [
    title,
    ...entries.flatMap(({ line, reasons }) => [`  ${line}`, ...reasons.map((reason) => `      ${reason}`)]),
  ];
}

/** Names can contain control characters, which must not reach the terminal. */
function withoutControls(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}
