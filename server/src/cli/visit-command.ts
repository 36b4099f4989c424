import type { VisitOutput } from '@usher/domain';

/*
 * What a user would see on a page, and why not the rest, asked of a running server. Nothing is recorded.
 */

export interface VisitOptions {
  uid?: string;
  /** Of the page. */
  url?: string;
  server?: string;
  secret?: string;
  json?: boolean;
}

/** What a person can mend: one clear line. */
export class VisitProblem extends Error {}
export class WrongVisitUsage extends Error {}

const DEFAULT_SERVER = 'http://127.0.0.1:3400';

export async function runVisit(
  options: VisitOptions,
  env: Record<string, string | undefined>,
  print: (text: string) => void,
): Promise<void> {
  const { uid, url: href, server = env.USHER_URL || DEFAULT_SERVER, secret = env.USHER_SECRET } = options;
  if (!uid) throw new WrongVisitUsage('give --uid, the ID that your product has for the user');
  if (!href || !isAddress(href))
    throw new WrongVisitUsage('give --url, the address of the page, such as https://app.example.com/dashboard');
  if (!isAddress(server)) throw new WrongVisitUsage('give --server, such as https://usher.example.com');
  if (!secret)
    throw new WrongVisitUsage('give the account secret in the environment as USHER_SECRET, or with --secret');
  const answer = await ask(server, secret, { uid, href, explain: true });
  print(options.json ? `${JSON.stringify(answer)}\n` : inWords(answer, uid, href));
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

async function ask(server: string, secret: string, body: object): Promise<VisitOutput> {
  let response: Response;
  try {
    response = await fetch(`${server.replace(/\/$/, '')}/v3/observe/visits`, {
      method: 'POST',
      headers: { 'X-Account-Secret': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new VisitProblem(`${server} cannot be reached: ${cause?.message || message}`);
  }
  const answer = (await response.json().catch(() => undefined)) as (VisitOutput & { messages?: string[] }) | undefined;
  if (response.ok && answer?.explanations) return answer;
  throw new VisitProblem(answer?.messages?.join('\n') ?? `${server} answered ${response.status}: is it an Usher?`);
}

type Explanation = NonNullable<VisitOutput['explanations']>[number];

function inWords(
  { known, deliveries, experiences, explanations = [] }: VisitOutput,
  uid: string,
  href: string,
): string {
  const places = new Map(experiences.map(({ id }, at) => [id, at]));
  const place = ({ id }: Explanation) => places.get(id) ?? places.size;
  const shown = explanations.filter(({ shows }) => shows).sort((one, other) => place(one) - place(other));
  const names = new Map(explanations.map(({ id, name }) => [id, name]));
  return [
    [`The user ${uid} on ${href}`, ...(known ? [] : ['This user was never seen: a new one gets this.'])],
    shown.length === 0 ? ['Nothing shows.'] : part('Shows', shown.map(toEntry)),
    part(
      'Deliveries, in their order',
      deliveries.map(({ id, model_id, model_kind, ready, reasons = [] }) => ({
        line: `${model_kind.padEnd(9)} ${names.get(model_id) ?? model_id}  ${id}  ${ready ? 'ready' : 'not ready'}`,
        reasons,
      })),
    ),
    part('Does not show', explanations.filter(({ shows }) => !shows).map(toEntry)),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${plain(line)}\n`).join(''))
    .join('\n');
}

interface Entry {
  line: string;
  reasons: readonly string[];
}

function toEntry({ id, kind, name, reasons }: Explanation): Entry {
  return { line: `${kind.padEnd(9)} ${name}  ${id}`, reasons };
}

function part(title: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  return [
    title,
    ...entries.flatMap(({ line, reasons }) => [`  ${line}`, ...reasons.map((reason) => `      ${reason}`)]),
  ];
}

/** Names are whatever someone wrote: they get no say over the terminal. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}
