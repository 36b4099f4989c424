import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { VisitedPath } from '@usher/domain';
import { messageOf } from '../error-code.ts';
import { isAddress, readServer } from './call-server.ts';
import { type CallApi, createCallApi } from './check/call-api.ts';
import { checkPages, type StepReport } from './check/check-pages.ts';
import { loadLiveSteps, loadSketches } from './check/live-steps.ts';
import { openBrowser } from './check/open-browser.ts';
import { planPages } from './check/plan-pages.ts';
import { sendProposals } from './check/propose.ts';
import { type CheckReport, formatText, isFailure, toJson, toJunit, withoutControls } from './check/report.ts';
import { CommandError, UsageError } from './errors.ts';
import { explainError } from './explain-error.ts';

/*
 * Opens a build of the customer's product before it is released, and checks that the elements of live Experiences are still found. A
 * running server says what is live.
 */

const usage = `usher check — whether a build of your product still has the elements of your live Experiences

  usher check --url http://localhost:3000         open the pages of this build that your users visit

  --server URL, --secret SECRET                   your Usher; otherwise USHER_URL and ACCOUNT_SECRET
  --path /a,/b                                    open these pages too
  --storage-state FILE                            a sign-in that Playwright has saved
  --wait SECONDS                                  how long an element may take to appear; the default is 5
  --strict                                        fail also if an element is found by some descriptions only,
                                                  if several elements match, or if one is covered
  --json FILE, --junit FILE                       write the result for other programs
  --pictures FOLDER                               write a picture of each page on which an element is not found
  --propose                                       write better selectors into the drafts, for somebody to publish

The exit code is 0 if everything is found, 2 if a live step is not, and 1 if the check could not be made.
It needs playwright-core, and Chromium or Chrome: from CHROMIUM_PATH, from PATH, or from
npx playwright-core install --with-deps chromium.
`;

const MISSING = 2;

interface CheckTerminal {
  print(text: string): void;
  printError(text: string): void;
  progress?: ((text: string) => void) | undefined;
  hasColors?: boolean | undefined;
}

/** Its exit codes are its own, because CI must know a missing step from an error. */
export async function runCheck(argv: string[], env: NodeJS.ProcessEnv, terminal: CheckTerminal): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options.help) {
      terminal.print(usage);
      return 0;
    }
    return await check(options, env, terminal);
  } catch (error) {
    terminal.printError(`usher: ${explainError(error)}\n`);
    return 1;
  }
}

function readOptions(argv: string[]) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        url: { type: 'string' },
        server: { type: 'string' },
        secret: { type: 'string' },
        path: { type: 'string', multiple: true },
        'storage-state': { type: 'string' },
        wait: { type: 'string' },
        strict: { type: 'boolean' },
        json: { type: 'string' },
        junit: { type: 'string' },
        pictures: { type: 'string' },
        propose: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

type Options = ReturnType<typeof readOptions>;

async function check(options: Options, env: NodeJS.ProcessEnv, terminal: CheckTerminal): Promise<number> {
  const { url: given = '', wait = '5', strict = false, json, junit, pictures } = options;
  const storageState = options['storage-state'];
  if (!isAddress(given)) throw new UsageError('give --url, the address of your build, such as http://localhost:3000');
  if (!/^\d{1,3}$/.test(wait)) throw new UsageError('--wait must be a number of seconds from 0 to 999');
  if (storageState !== undefined && !existsSync(storageState))
    throw new UsageError(`--storage-state does not exist: ${storageState}`);
  const paths = (options.path ?? []).flatMap((list) => list.split(',')).filter(Boolean);
  const wrong = paths.find((path) => !path.startsWith('/'));
  if (wrong !== undefined) throw new UsageError(`--path must begin with /: ${wrong}`);
  // A password in the address is for the build, and not for the reports.
  const { username, password } = new URL(given);
  const url = username ? given.replace(/\/\/[^/]*@/, '//') : given;
  const { server, secret } = readServer(options, env);
  const callApi = createCallApi(server, secret);

  const steps = await loadLiveSteps(callApi);
  if (steps.length === 0) {
    terminal.print('No live Experience needs an element of a page.\n');
    await writeReports({ url, pages: 0, isStrict: strict, steps: [] }, { json, junit });
    return 0;
  }
  const { paths: visited } = await callApi<{ paths: VisitedPath[] }>('/v3/analyze/paths?limit=1000');
  const plan = planPages(steps, visited, paths);
  const pictureOptions = pictures === undefined ? undefined : await preparePictures(callApi, pictures, steps);
  let opened = 0;
  const reports = await withBrowser(env, (browser) =>
    checkPages(browser, steps, plan, {
      ...{
        url,
        credentials: { username, password },
        storageState,
        waitMs: Number(wait) * 1000,
        pictures: pictureOptions,
      },
      onPage: (path, at, count) => {
        opened++;
        terminal.progress?.(`\r\x1b[K${at + 1}/${count} ${withoutControls(path)}`);
      },
    }),
  ).finally(() => terminal.progress?.('\r\x1b[K'));

  const report: CheckReport = { url, pages: opened, isStrict: strict, steps: reports };
  terminal.print(formatText(report, terminal.hasColors ?? false));
  await writeReports(report, { json, junit });
  await proposeOrExplain(callApi, reports, options.propose ?? false, terminal);
  if (reports.every(({ state }) => state === 'not_reached'))
    throw new CommandError('no step could be checked: no page was reached');
  return reports.some((one) => isFailure(one, strict)) ? MISSING : 0;
}

async function withBrowser<Result>(
  env: NodeJS.ProcessEnv,
  use: (browser: Awaited<ReturnType<typeof openBrowser>>) => Promise<Result>,
): Promise<Result> {
  const browser = await openBrowser(env);
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

async function preparePictures(callApi: CallApi, folder: string, steps: Awaited<ReturnType<typeof loadLiveSteps>>) {
  await mkdir(folder, { recursive: true });
  const experiences = steps.map(({ experience }) => experience);
  return { folder, sketches: await loadSketches(callApi, experiences) };
}

async function writeReports(
  report: CheckReport,
  { json, junit }: { json: string | undefined; junit: string | undefined },
): Promise<void> {
  try {
    if (json !== undefined) await writeFile(json, `${JSON.stringify(toJson(report), null, 2)}\n`);
    if (junit !== undefined) await writeFile(junit, toJunit(report));
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

async function proposeOrExplain(
  callApi: CallApi,
  reports: readonly StepReport[],
  propose: boolean,
  { print }: CheckTerminal,
): Promise<void> {
  const count = reports.filter(({ proposal }) => proposal).length;
  if (count === 0) return;
  if (!propose) return print('\nTo write what is proposed into the drafts, run it again with --propose.\n');
  print(`\n${(await sendProposals(callApi, reports)).map(withoutControls).join('\n')}\n`);
}
