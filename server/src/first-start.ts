import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainPasswordProblem, findPasswordProblem } from '@usher/domain';
import type { AppContext } from './context.ts';
import { codeOf } from './error-code.ts';
import { type DemoExperience, setUpDemo } from './features/install/demo/set-up-demo.ts';
import { type CreatedAccount, createFirstAccount, FIRST_EMAIL } from './features/team/accounts/create-account.ts';
import { createSetupLink } from './features/team/links/create-setup-link.ts';
import { linkUrl } from './features/team/links/queries.ts';
import { demoFolder } from './folders.ts';
import { WrongSetting } from './settings/read-setting.ts';
import type { Settings } from './settings/settings.ts';

/** Creates the first account, and what the demo site shows, if there is no account yet. */
export async function createFirst(app: AppContext, settings: Settings): Promise<CreatedAccount | undefined> {
  const account = { name: 'Usher', email: FIRST_EMAIL, ...settings.bootstrap };
  const first = await createFirstAccount(app, account, (created) => {
    checkFirstPassword(account);
    keepFirstSecret(created, settings);
  });
  if (first && settings.demo) await setUpDemo(app, first, demoExperiences());
  return first;
}

/** Checked only here: servers that were started with a weak one before still start. */
function checkFirstPassword({ password, email }: { password?: string; email: string }): void {
  const problem = password === undefined ? undefined : findPasswordProblem(password, [email]);
  if (problem) throw new WrongSetting(`USHER_BOOTSTRAP_PASSWORD ${explainPasswordProblem(problem)}`);
}

function demoExperiences(): DemoExperience[] {
  return JSON.parse(readFileSync(join(demoFolder, 'experiences.json'), 'utf8'));
}

/** Called before the account is committed: if the file cannot be written, there is no account either. */
function keepFirstSecret({ account_secret }: CreatedAccount, { bootstrap, firstSecretFile: file }: Settings): void {
  if (file === undefined || bootstrap.secret) return;
  try {
    writeFileSync(file, `${account_secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
    chmodSync(file, 0o600);
  } catch (error) {
    const exists = codeOf(error) === 'EEXIST';
    throw new WrongSetting(
      `USHER_FIRST_SECRET_FILE names a file that ${exists ? 'exists, and is not overwritten' : 'cannot be written'}: ${file}`,
    );
  }
}

/**
 * As long as no one can sign in, each start creates a new link to do so. The link lets in everyone who has it, so it is
 * printed and not logged.
 */
export async function createInvitation(app: AppContext, { firstSecretFile }: Settings): Promise<string | undefined> {
  // Who keeps secrets out of the output keeps this one out too.
  return firstSecretFile === undefined ? createSetupLink(app) : undefined;
}

/** The text that says where the server listens, and how to sign in if no one can yet. */
export function announce(address: string, invitation: string | undefined, { explicitPublicUrl }: Settings): string {
  const ready = `Usher is ready at ${address}\n`;
  if (invitation === undefined) return ready;
  const local = address.replace(/^(https?:\/\/)(0\.0\.0\.0|\[::\])/, '$1127.0.0.1');
  const url = linkUrl(explicitPublicUrl ?? local, 'setup', invitation);
  return `${ready}\nNobody can sign in yet. Open this link within 24 hours, it works once:\n  ${url}\n\n`;
}

/** The text that is shown once. Secrets that the operator has set are not repeated. */
export function introduce(
  { account_id, account_token, account_secret }: CreatedAccount,
  { bootstrap, demo, firstSecretFile, publicUrl }: Settings,
): string {
  const kept =
    firstSecretFile === undefined ? `${account_secret}   (shown only now: keep it)` : `in ${firstSecretFile}`;
  const secret = bootstrap.secret ? 'as set in USHER_BOOTSTRAP_SECRET' : kept;
  const site = demo ? `  demo site       ${publicUrl}/demo/   (one Experience of each kind is published for it)\n` : '';
  return `
The first account was created.
  account id      ${account_id}
  account token   ${account_token}
  account secret  ${secret}
${site}
`;
}
