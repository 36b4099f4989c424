import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { checkout, installPackages, pack, tarball } from '../../server/test/packages.ts';
import { takePicture } from './browser.ts';
import * as author from './first-hour/author.ts';
import * as connect from './first-hour/connect.ts';
import { Hour, newUser, STAGING } from './first-hour/hour.ts';
import { nodeVersion, ownEnvironment, useInstalled } from './first-hour/installed.ts';
import * as operate from './first-hour/operate.ts';
import { startProduct } from './first-hour/product.ts';
import { Stations } from './first-hour/stations.ts';
import * as users from './first-hour/users.ts';

/*
 * The first hour with Usher, from the installed package to a folder that is deleted. Only the package is under test: nothing of the
 * server, the script or the dashboard of this checkout runs.
 */

const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };

it('takes the first hour with the packed package', async () => {
  const stations = new Stations();
  const root = mkdtempSync(join(tmpdir(), 'usher-first-hour-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  pack(checkout, join(root, 'packed'));
  const folder = mkdtempSync(join(root, 'own-'));
  const browser = await launchTestBrowser([`--host-resolver-rules=MAP ${STAGING} 127.0.0.1`]);
  onTestFinished(async ({ task }) => {
    const pages = task.result?.state === 'fail' ? browser.contexts().flatMap((context) => context.pages()) : [];
    for (const [place, one] of pages.entries()) await takePicture(one, `hour-failed-${place}`);
    await browser.close();
  });
  const own = await newUser(browser, 'ann', {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const usher = await useInstalled(folder);
  const product = await startProduct(usher.url);
  const hour = new Hour({ browser, own, page: await own.newPage(), usher, product });
  const newPage = async (uid: string, options = {}) => (await hour.newUser(uid, options)).newPage();

  await stations.visit('Install the package into an empty folder, and start it', async () => {
    installPackages(folder, [tarball(join(root, 'packed'), 'usher-server')], ownEnvironment());
    await usher.start();
  });
  await stations.visit('Sign in by the printed link, and finish the tour of the demo', async () => {
    await connect.setUp(hour);
    await connect.finishDemoTour(hour);
  });
  await stations.visit('Connect an own page with the short snippet', () => connect.connectOwnPage(hour));
  await stations.visit('Make a tour: pick an element, take the theme, try it', async () => {
    await author.makeTour(hour);
    await author.takeTheme(hour);
    await author.tryTour(hour);
  });
  await stations.visit('Publish to staging, then to production', async () => {
    await author.makeEnvironments(hour);
    await author.publishTo(hour, 'Staging');
    await users.expectStagingOnly(hour, await newPage('ben'));
    await author.publishTo(hour, 'Production');
  });
  await stations.visit('Users see it through the own domain, with a content blocker', async () => {
    await connect.moveToOwnDomain(hour);
    await users.seeWithBlocker(hour, await hour.newUser('cleo'));
    await users.seeByKeyboard(hour, await newPage('dan'));
    await users.seeOnPhone(hour, await newPage('eve', phone));
  });
  await stations.visit('An event starts a survey, which is answered', async () => {
    await author.makeSurvey(hour);
    await users.answerSurvey(hour, await newPage('fay'), '9');
    await author.seeResponse(hour);
  });
  await stations.visit('An assistant proposes a checklist, a person approves it', async () => {
    await operate.approveProposal(hour);
    await users.seeChecklist(hour, await newPage('gus'));
  });
  await stations.visit('A webhook receives an answer, with a signature', async () => {
    const created = await operate.createWebhook(hour);
    await users.answerSurvey(hour, await newPage('hal'), '8');
    await operate.expectSigned(hour, created);
  });
  await stations.visit('Files are pulled and committed', () =>
    operate.pullAndCommit(hour, mkdtempSync(join(root, 'repository-'))),
  );
  await stations.visit('A backup is made, and the doctor finds nothing', () =>
    operate.backUp(hour, join(root, 'backups')),
  );
  await stations.visit('Everything is removed', async () => {
    await operate.removeData(hour);
    await usher.stop();
    // A database that was closed has no log.
    expect(readdirSync(join(folder, 'data'))).not.toContain('usher.db-wal');
    rmSync(folder, { recursive: true });
    expect(existsSync(folder)).toBe(false);
  });
  console.log(stations.table(`The first hour on Node ${nodeVersion()}`));
});
