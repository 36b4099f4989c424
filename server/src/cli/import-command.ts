import { setTimeout as pause } from 'node:timers/promises';
import { type Move, type MoveProgress, type MoveStage, movedNouns, type StageProgress } from '@usher/domain';
import type { AppContext, Context } from '../context.ts';
import { createContext } from '../create-context.ts';
import { releaseMove } from '../features/install/moves/release-move.ts';
import { type MoveOptions, runMove, tryMove } from '../features/install/moves/run-move.ts';
import { createFileReader, sendAnywhere } from '../features/install/moves/senders.ts';
import { listProblems, showMove } from '../features/install/moves/show-move.ts';
import { isAddress } from './call-server.ts';
import { UsageError } from './errors.ts';

/*
 * Moves an account of another v3 service here. The command writes to the database itself, also while the server runs.
 */

export interface ImportOptions {
  from?: string;
  secret?: string;
  only?: string;
  'dry-run'?: boolean;
  'verification-secret'?: string;
  'webhook-secret'?: string[];
  'requests-per-minute'?: string;
}

interface ImportTerminal {
  print(text: string): void;
  /** Shows progress, if a person is watching. */
  progress?: ((text: string) => void) | undefined;
}

export async function runImport(
  app: AppContext,
  accountId: string,
  action: string | undefined,
  options: ImportOptions,
  env: Record<string, string | undefined>,
  terminal: ImportTerminal,
): Promise<void> {
  const ctx = await enterAsOwner(app, accountId);
  if (action === 'status') return report(ctx, await showMove(ctx), terminal);
  if (action === 'release') {
    await releaseMove(ctx);
    return terminal.print('Released: the imported webhooks send from now on.\n');
  }
  if (action !== 'v3') throw new UsageError('give v3, status or release: see usher --help');
  const files = createFileReader(app);
  try {
    const move = readOptions(options, env, terminal, files.readFile);
    if (options['dry-run']) await dryRun(ctx, move, terminal);
    else await report(ctx, await runMove(ctx, move), terminal);
  } finally {
    files.close();
    terminal.progress?.('\r\x1b[K');
    await app.propertyRegistry.stop();
  }
}

/** The command acts as the first owner of the account, whom Changes name. */
async function enterAsOwner(app: AppContext, accountId: string): Promise<Context> {
  const owner = await app.storage
    .reader(null)
    .selectFrom('admins')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
  if (!owner) throw new UsageError('there is no account with this ID: usher account list shows them');
  return createContext(app, { account: { id: accountId }, actor: { id: owner.id, role: 'owner' } });
}

function readOptions(
  options: ImportOptions,
  env: Record<string, string | undefined>,
  terminal: ImportTerminal,
  readFile: MoveOptions['source']['readFile'],
): MoveOptions {
  const { from = '', secret = env.SOURCE_SECRET, only = '', 'requests-per-minute': rate = '60' } = options;
  if (!isAddress(from))
    throw new UsageError('give --from, the address of the other service, such as https://api.example.com');
  if (!secret)
    throw new UsageError(
      'give the account secret of the other service in the environment as SOURCE_SECRET, or with --secret',
    );
  const nouns = only.split(',').filter(Boolean);
  const unknown = nouns.find((noun) => !(movedNouns as readonly string[]).includes(noun));
  if (unknown !== undefined) throw new UsageError(`--only does not know ${unknown}: it takes ${movedNouns.join(', ')}`);
  if (!/^[1-9]\d{0,5}$/.test(rate)) throw new UsageError('--requests-per-minute must be a whole number from 1');
  return {
    source: {
      ...{ address: from.replace(/\/+$/, ''), secret, send: sendAnywhere, readFile, requestsPerMinute: Number(rate) },
      now: Date.now,
      wait: (time) => pause(time),
    },
    only: nouns,
    secrets: { verification: options['verification-secret'], webhooks: readSecrets(options['webhook-secret'] ?? []) },
    onProgress: (progress, stage) => terminal.progress?.(`\r\x1b[K${toLine(progress, stage)}`),
  };
}

/** `--webhook-secret ID=SECRET`, or with the address of the webhook. A secret may contain `=`, and so may an address. */
function readSecrets(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map((text) => {
      const match = /^([0-9a-f]{24}|https?:\S*?)=(whsec_\S+|[^=\s]+=*)$/.exec(text);
      if (!match) throw new UsageError('give --webhook-secret as ID=SECRET or URL=SECRET');
      return [match[1] ?? '', match[2] ?? ''];
    }),
  );
}

function toLine({ stages, secondsLeft }: MoveProgress, stage: MoveStage): string {
  const { done = 0, total = null } = stages[stage] ?? {};
  const count = total === null ? `${done}` : `${done} of ${total}`;
  const left = secondsLeft === null ? '' : `, ${toDuration(secondsLeft)} left`;
  return `${toName(stage)}: ${count}${left}`;
}

function toDuration(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function toName(stage: MoveStage): string {
  const words = stage.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

async function report(ctx: Context, move: Move, { print }: ImportTerminal): Promise<void> {
  print(`From ${move.source}: ${move.state}${move.error ? `, ${move.error}` : ''}\n\n`);
  for (const { stage, done, problems_count } of move.stages)
    print(
      `${toName(stage).padEnd(16)}${String(done).padStart(9)}${problems_count > 0 ? `   ${problems_count} with problems` : ''}\n`,
    );
  printProblems(await listProblems(ctx), print);
  if (move.unplaced_steps_count > 0)
    print(`\n${move.unplaced_steps_count} steps need a place: the dashboard lists them under Settings, Move here\n`);
  if (move.state === 'finished') print('\nWebhooks send nothing until: usher import release\n');
}

async function dryRun(ctx: Context, options: MoveOptions, { print, progress }: ImportTerminal): Promise<void> {
  const { stages, problems } = await tryMove(ctx, options);
  progress?.('\r\x1b[K');
  print('A dry run: nothing was stored.\n\n');
  for (const [stage, found] of Object.entries(stages))
    print(`${toName(stage as MoveStage).padEnd(16)}${countOf(found).padStart(9)}\n`);
  if (problems.length === 0) print('\nEverything can be imported as it is.\n');
  printProblems(problems, print);
}

/** A dry run reads only the settings and Experiences to their end. */
function countOf({ total, done, isFinished }: StageProgress): string {
  return total !== null || isFinished ? String(total ?? done) : 'not read';
}

function printProblems(
  problems: readonly { stage: MoveStage; record_id: string; message: string }[],
  print: (text: string) => void,
): void {
  if (problems.length > 0) print('\nWhat could not be imported as it is:\n');
  for (const { stage, record_id, message } of problems)
    print(`  ${toName(stage)}${record_id === '' ? '' : ` ${record_id}`}: ${message}\n`);
}
