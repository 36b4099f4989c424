import { parseArgs } from 'node:util';
import type { Say } from '../backup/back-up-before-update.ts';
import type { ParentProcess } from '../cluster/messages.ts';
import { serveWithWorkers } from '../cluster/serve-with-workers.ts';
import { joinGroup } from '../cluster/worker-group.ts';
import type { AppContext } from '../context.ts';
import type { Storage } from '../db/storage.ts';
import { messageOf } from '../error-code.ts';
import { findDeletions } from '../features/audience/deletions/find-deletions.ts';
import { listAccounts } from '../features/team/accounts/list-accounts.ts';
import { listAdmins } from '../features/team/admins/list-admins.ts';
import { listSecrets } from '../features/team/secrets/list-secrets.ts';
import { revokeSecret } from '../features/team/secrets/revoke-secret.ts';
import { resetKey, rotateKey } from '../keys/master-key.ts';
import { newKey } from '../keys/secret-box.ts';
import { createLog } from '../log/log.ts';
import { openAppContext, type Running, serve, withStorage } from '../serve.ts';
import type { MasterKeySource } from '../settings/master-key-source.ts';
import { WrongSetting } from '../settings/read-setting.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { describeUnknownSettings } from '../settings/unknown-settings.ts';
import { type AdminOptions, runAccountCreate, runAdminCreate, runResetLink, runTokenCreate } from './admin-commands.ts';
import { type BackupOptions, runBackup } from './backup-command.ts';
import { runCheck } from './check-command.ts';
import { runCompact } from './compact-command.ts';
import { type DebugTokenOptions, runDebugToken } from './debug-token-command.ts';
import { runDoctor } from './doctor-command.ts';
import { UsageError } from './errors.ts';
import { explainError } from './explain-error.ts';
import { runExportCommand } from './export-command.ts';
import { type FilesOptions, filesCommands, runFiles } from './files-command.ts';
import { type I18nOptions, runI18n } from './i18n-command.ts';
import { type ImportOptions, runImport } from './import-command.ts';
import { runMcp } from './mcp-command.ts';
import { runMove } from './move-command.ts';
import { createPrivacyReport, printPrivacyReport } from './privacy-report.ts';
import { runProfileExport } from './profile-command.ts';
import { runDeletionApply, runRestore } from './restore-command.ts';
import { runVisit, type VisitOptions } from './visit-command.ts';
import { runPause, runResume } from './webhooks-command.ts';

const usage = `usher — in-product experiences, self-hosted

  usher serve [--workers N|auto]                  start the server, with this many processes on PostgreSQL
  usher doctor                                    find what is wrong with the installation, without changing anything
  usher migrate                                   bring the database up to date, then stop
  usher account create --name NAME --email EMAIL  add an account with its owner and a first secret;
                                                  if somebody has the email already: with an invitation
  usher account list
  usher admin create --email EMAIL [--role ROLE] [--name NAME] [--account ID]
                                                  add an administrator, who gets a link to choose a password; if
                                                  somebody has the email already: create an invitation
  usher admin list [--account ID]
  usher admin reset-link --email EMAIL            create a link to choose a new password; it works once, for 24 hours
  usher token create [--account ID] [--email EMAIL] [--name NAME] [--scope SCOPE] [--people] [--expires TIME]
                     [--network CIDR]…            create an account secret; it is shown once. With --people, assistants may
                                                  read data of people with it
  usher token list [--account ID]
  usher token revoke ID [--keep-children]         end a secret immediately, with the secrets it has made
  usher key create                                print a new master key
  usher key rotate                                encrypt the stored secrets with the first of your master keys
  usher key reset                                 for a master key that is lost: give up what only it can read
  usher profile export ID|UID|EMAIL [--account ID]
                                                  print everything about a user as one JSON document
  usher deletion find --uid UID [--account ID]    the proof that a user was forgotten
  usher deletion apply FILE…                      forget again, by deletion logs, after a restore with other tools

  usher privacy-report                            what is stored about people and where, for how long, and where it is sent

  usher backup FILE [--force]                     write a backup, also while the server runs
  usher backup --to FOLDER|s3://…                 write a backup there; before the first automatic one, this creates the folder
  usher backup list                               the backups that were made automatically
  usher restore FILE|s3://… [--force]             replace the database by a backup, while no server runs; on PostgreSQL
                                                  into an empty database, or with --force instead of what is there
  usher export                                    write what is new into files for a warehouse, in the folder or bucket of
                                                  USHER_EXPORT_TO; before the first automatic export, this creates the folder
  usher export list                               the files that were exported
  usher move --to postgres://…|FOLDER             move everything from SQLite to PostgreSQL, or back, while no server runs; run it
                                                  again to go on after an interruption
  usher move cancel                               use the original of a move again
  usher compact                                   make the SQLite file smaller after much was deleted, also while the server runs
  usher webhooks pause                            stop sending to webhooks; what is to be sent waits
  usher webhooks resume [--skip-waiting]          send again, also in a restored copy; or give up what waits from before

  usher import v3 --from URL [--secret SECRET] [--only NOUN,…] [--dry-run] [--account ID]
                  [--verification-secret SECRET] [--webhook-secret ID=SECRET]… [--requests-per-minute 60]
                                                  bring everything from another v3 service, or go on; import before you
                                                  go live. The secret can be in the environment as SOURCE_SECRET
  usher import status                             what was imported, and what could not be
  usher import release                            let the imported webhooks send

  usher i18n pull --url URL --dir DIR [--kind tours] [--language CODE] [--format yaml]
                                                  download the translation files, one for each language
  usher i18n push --url URL [--dry-run] FILE…     upload translation files; a dry run only says what would change
  usher i18n status --url URL [--language CODE] [--min PERCENT]
                                                  show how far each language is; fails when one is below PERCENT

  usher pull --from URL [--dir usher]             write Experiences, Segments, themes and others as YAML files
  usher plan --to URL [--dir usher] [--markdown]  show what apply would change; the exit code is 2 if there is something
  usher apply --to URL [--dir usher] [--publish] [--source URL] [--adopt] [--archive-missing]
                                                  store the files in one transaction: all of them, or none

  usher visit --uid UID --url PAGE [--server URL] what this user would see on this page, and why not the rest
  usher check --url URL [--server URL]            whether a build of your product still has the elements of what is live;
                                                  for CI: usher check --help
  usher debug-token [--ttl SECONDS] [--server URL]
                                                  create a token for usher.debug(token) in the console of a page

  usher mcp [--server URL]                        serve an assistant on this machine (Model Context Protocol on stdio)

  --json                                          answer in JSON

The settings come from the environment, as for the server: docs/running.md lists them. The i18n commands, and pull,
plan and apply, talk to a running server instead: they take its address from --url or USHER_URL, and the secret from ACCOUNT_SECRET or --secret.
So do mcp, visit and check, where --url is a page, and debug-token: the server is --server, USHER_URL, or the one on this machine.
`;

export interface Terminal {
  print(text: string): void;
  printError(text: string): void;
  /** Shows progress, if a person is watching. */
  progress?: ((text: string) => void) | undefined;
  /** Whether the output may have colors. */
  hasColors?: boolean | undefined;
  /** Calls the listener with the reason of a rejected promise that nothing handles. */
  onUnhandledRejection?(listener: (reason: unknown) => void): void;
  /** Resolves when the process receives a signal to stop. */
  untilStopped(): Promise<unknown>;
  /** The process that has started this one as a worker. */
  parent?: ParentProcess | undefined;
}

/**
 * The exit code is 2 if trying again cannot help, and 1 for other errors. deploy/systemd/usher.service depends on this.
 */
export async function runCommand(argv: string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  if (argv[0] === 'check') return runCheck(argv.slice(1), env, terminal);
  try {
    const { words, options } = readArguments(argv);
    if (words[0] === 'doctor' && !options.help) return await runDoctor(env, options.json ?? false, terminal);
    if (isFilesCommand(argv) && !options.help) return await runFiles(words[0] ?? '', options, env, terminal);
    await dispatch(words, options, env, terminal);
    return 0;
  } catch (error) {
    // If several workers cannot start, the process that has started them prints one line.
    if (terminal.parent) await terminal.parent.send({ failed: explainError(error) });
    else terminal.printError(`usher: ${explainError(error)}\n`);
    // The exit code 2 of `usher plan` means that there is something to change.
    if (isFilesCommand(argv)) return 1;
    return error instanceof UsageError || error instanceof WrongSetting ? 2 : 1;
  }
}

function isFilesCommand([command = '']: readonly string[]): boolean {
  return filesCommands.includes(command);
}

async function dispatch(words: string[], options: Options, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const command = words.slice(0, 2).join(' ');
  if (options.help || command === '') return terminal.print(usage);
  if (words[0] === 'i18n') return runI18n(words[1], words.slice(2), options, env, terminal);
  if (command === 'visit') return runVisit(options, env, terminal.print);
  if (command === 'mcp') return runMcp(options, env, terminal.untilStopped);
  if (command === 'debug-token') return runDebugToken(options, env, terminal.print);
  const settings = readSettings(options.workers === undefined ? env : { ...env, USHER_WORKERS: options.workers });
  if (options.workers !== undefined && command !== 'serve') throw new UsageError('--workers is for usher serve');
  if (options['skip-waiting'] && command !== 'webhooks resume')
    throw new UsageError('--skip-waiting is for usher webhooks resume');
  if (command === 'serve') {
    const unknown = describeUnknownSettings(env);
    if (unknown !== undefined && !terminal.parent) terminal.printError(`usher: ${unknown}\n`);
    return serveUntilStopped(settings, terminal);
  }
  const show = (result: unknown) => terminal.print(options.json ? `${JSON.stringify(result)}\n` : toTable(result));
  const say: Say = (_level, text) => terminal.printError(`usher: ${text}\n`);
  const keyAction = keyActions.get(command);
  if (keyAction) return show(await keyAction(settings, say));
  if (words[0] === 'backup') return show(await runBackup(settings, words.slice(1), options));
  if (words[0] === 'restore') return show(await runRestore(settings, words.slice(1), options));
  const sayProgress = (text: string) => terminal.progress?.(`\r\x1b[K${text}`);
  const endProgress = () => terminal.progress?.('\r\x1b[K');
  if (command === 'compact') return show(await runCompact(settings, sayProgress).finally(endProgress));
  if (words[0] === 'move')
    return show(await runMove(settings, words.slice(1), options, sayProgress).finally(endProgress));
  const action = actions.get(command);
  const isPrivacyReport = command === 'privacy-report';
  const isExport = command === 'profile export';
  const isImport = words[0] === 'import';
  const isForWarehouse = words[0] === 'export';
  if (!action && !isExport && !isImport && !isForWarehouse && !isPrivacyReport)
    throw new UsageError(`there is no command "${words.join(' ')}": see usher --help`);
  const app = await openAppContext(settings, createLog('silent'), undefined, {
    ...{ isPatient: true, isReading: isPrivacyReport, say },
  });
  try {
    if (action) show(await action(app, options, words));
    else if (isPrivacyReport) {
      const report = await createPrivacyReport(app, settings);
      terminal.print(options.json ? `${JSON.stringify(report)}\n` : printPrivacyReport(report));
    } else if (isForWarehouse) show(await runExportCommand(app, settings, words.slice(1), terminal));
    else if (isImport)
      await runImport(app, options.account ?? (await onlyAccount(app)), words[1], options, env, terminal);
    else await runProfileExport(app, options.account ?? (await onlyAccount(app)), words.slice(2), terminal.print);
  } finally {
    await app.storage.close();
  }
}

async function serveUntilStopped(settings: Settings, terminal: Terminal): Promise<void> {
  // Signals are listened for from the start, so that an early one is not missed.
  const stopped = terminal.untilStopped();
  const running = await start(settings, terminal);
  terminal.onUnhandledRejection?.(running.logUnhandled);
  await stopped;
  await running.stop();
}

async function start(settings: Settings, terminal: Terminal): Promise<Running> {
  const { parent, print } = terminal;
  if (parent) {
    const databaseConnections = Math.floor(settings.databaseConnections / parent.workers);
    const running = await serve({ ...settings, databaseConnections }, print, joinGroup(parent));
    await parent.send({ ready: running.address });
    return running;
  }
  return settings.workers > 1 ? serveWithWorkers(settings, terminal) : serve(settings, print);
}

type Options = I18nOptions &
  VisitOptions &
  AdminOptions &
  DebugTokenOptions &
  ImportOptions &
  BackupOptions &
  FilesOptions & {
    account?: string;
    workers?: string;
    'skip-waiting'?: boolean;
    'keep-children'?: boolean;
    help?: boolean;
  };

function readArguments(argv: string[]): { words: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        email: { type: 'string' },
        account: { type: 'string' },
        role: { type: 'string' },
        scope: { type: 'string' },
        people: { type: 'boolean' },
        expires: { type: 'string' },
        network: { type: 'string', multiple: true },
        uid: { type: 'string' },
        url: { type: 'string' },
        server: { type: 'string' },
        secret: { type: 'string' },
        kind: { type: 'string' },
        language: { type: 'string', multiple: true },
        format: { type: 'string' },
        dir: { type: 'string' },
        min: { type: 'string' },
        from: { type: 'string' },
        only: { type: 'string' },
        'verification-secret': { type: 'string' },
        'webhook-secret': { type: 'string', multiple: true },
        'requests-per-minute': { type: 'string' },
        'dry-run': { type: 'boolean' },
        force: { type: 'boolean' },
        to: { type: 'string' },
        source: { type: 'string' },
        markdown: { type: 'boolean' },
        publish: { type: 'boolean' },
        adopt: { type: 'boolean' },
        'archive-missing': { type: 'boolean' },
        'skip-waiting': { type: 'boolean' },
        'keep-children': { type: 'boolean' },
        ttl: { type: 'string' },
        workers: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return { words: positionals, options: values };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** These commands also run when the server cannot start because of its master key. */
const keyActions = new Map<string, (settings: Settings, say: Say) => Promise<unknown>>([
  ['key create', async () => ({ master_key: newKey() })],
  ['key rotate', (settings, say) => onStorage(settings, say, rotateKey)],
  ['key reset', (settings, say) => onStorage(settings, say, resetKey)],
]);

function onStorage<T>(
  settings: Settings,
  say: Say,
  run: (storage: Storage, source: MasterKeySource) => Promise<T>,
): Promise<T> {
  const use = async (storage: Storage) => {
    const result = await run(storage, settings.masterKey);
    await storage.close();
    return result;
  };
  return withStorage(settings, createLog('silent'), use, { isPatient: true, say });
}

type Action = (app: AppContext, options: Options, words: string[]) => Promise<unknown>;

const actions = new Map<string, Action>(
  Object.entries<Action>({
    migrate: async () => ({ migrated: true }),
    'account create': (app, options) => runAccountCreate(app, options),
    'account list': (app) => listAccounts(app),
    'admin create': async (app, options) => runAdminCreate(app, options.account ?? (await onlyAccount(app)), options),
    'admin list': (app, { account }) => listAdmins(app, account),
    'admin reset-link': (app, options) => runResetLink(app, options),
    'token create': async (app, options) => runTokenCreate(app, options.account ?? (await onlyAccount(app)), options),
    'token list': (app, { account }) => listSecrets(app, account),
    'token revoke': (app, options, [, , id]) => {
      if (!id) throw new UsageError('give the ID of the secret: usher token list shows it');
      return revokeSecret(app, id, options['keep-children']);
    },
    'deletion find': async (app, { account, uid }) => {
      if (!uid) throw new UsageError('give --uid, the ID that your product had for the user');
      return findDeletions(app, account ?? (await onlyAccount(app)), uid);
    },
    'deletion apply': (app, _options, words) => runDeletionApply(app, words.slice(2)),
    'webhooks pause': (app) => runPause(app),
    'webhooks resume': (app, options) => runResume(app, options),
  }),
);

async function onlyAccount(app: AppContext): Promise<string> {
  const [account, another] = await listAccounts(app);
  if (!account) throw new UsageError('there is no account yet: usher account create makes one');
  if (another) throw new UsageError('there are several accounts: give --account ID (usher account list shows them)');
  return account.account_id;
}

function toTable(result: unknown): string {
  const rows = (Array.isArray(result) ? result : [result]) as Record<string, unknown>[];
  if (rows.length === 0) return 'Nothing yet.\n';
  return rows
    .map(
      (row) =>
        `${Object.entries(row)
          .map(
            ([key, value]) => `${key.padEnd(16)}${Array.isArray(value) ? value.join(', ') || '-' : (value ?? '-')}\n`,
          )
          .join('')}`,
    )
    .join('\n');
}
