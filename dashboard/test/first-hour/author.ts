import type { Locator } from 'playwright-core';
import { takePicture } from '../browser.ts';
import { type Hour, STAGING, tourOn } from './hour.ts';

/* What the author of Experiences does in the dashboard. */

export async function makeTour(hour: Hour): Promise<void> {
  await hour.open('/app/experiences');
  await hour.page.getByRole('button', { name: 'New Experience' }).first().click();
  await takePicture(hour.page, 'hour-04-templates');
  await hour.page.getByRole('option', { name: 'Welcome tour' }).click();
  await hour.press('Create Experience');
  await hour.field('Title').fill('Write an invoice');
  await hour.press('Pick on your page');
  await takePicture(hour.page, 'hour-04-pick-dialog');
  const tab = await hour.openOwnPage();
  await tab.getByRole('button', { name: 'Start picking' }).click();
  await tab.getByRole('button', { name: 'New invoice' }).hover();
  await takePicture(tab, 'hour-04-picker');
  await tab.getByRole('button', { name: 'New invoice' }).click();
  await tab.getByText('Go back to the tab with Usher to use it.').first().waitFor();
  await tab.close();
  await hour.dialog().getByText('Survives a redeploy').first().waitFor();
  await takePicture(hour.page, 'hour-04-picked');
  await hour
    .dialog()
    .getByRole('button', { name: /^Use th/ })
    .click();
  await hour.page.getByRole('link', { name: 'Targeting', exact: true }).click();
  await hour.press('Add page');
  await hour.page.getByRole('combobox', { name: 'Page 1' }).fill('/invoices');
  await hour.page.keyboard.press('Escape');
  await hour.isSaved();
  await takePicture(hour.page, 'hour-04-targeting');
}

export async function takeTheme(hour: Hour): Promise<void> {
  const tour = hour.page.url();
  await hour.open('/app/themes');
  await hour.press('New theme');
  await takePicture(hour.page, 'hour-04-new-theme');
  await hour.dialog().getByRole('button', { name: /^Calm/ }).click();
  await hour.page.getByRole('heading', { name: 'Calm' }).waitFor();
  await hour.press('Take it from your page');
  const tab = await hour.openOwnPage();
  await tab.getByRole('button', { name: 'Start', exact: true }).click();
  const parts: [string, Locator][] = [
    ['button', tab.getByRole('button', { name: 'New invoice' })],
    ['heading', tab.getByRole('heading', { name: 'Invoices' })],
    ['card', tab.locator('.card')],
    ['link', tab.getByRole('link', { name: 'Customers' })],
  ];
  for (const [name, part] of parts) {
    await tab.getByText(new RegExp(`^Point at a.* ${name}`)).waitFor();
    const box = await part.boundingBox();
    if (!box) throw new Error(`The ${name} is not there.`);
    await tab.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 8));
    if (name === 'card') await takePicture(tab, 'hour-04-taking');
    await tab.mouse.click(box.x + box.width / 2, box.y + Math.min(box.height / 2, 8));
  }
  await tab
    .getByText(/^Taken/)
    .first()
    .waitFor();
  await takePicture(tab, 'hour-04-taken-page');
  await tab.close();
  await hour.dialog().getByText('Taken from your page').waitFor();
  await takePicture(hour.page, 'hour-04-taken');
  await hour.dialog().getByRole('button', { name: 'Use these' }).click();
  await hour.dialog().waitFor({ state: 'detached' });
  await takePicture(hour.page, 'hour-04-theme');
  await hour.press('Publish…');
  await hour.dialog().getByRole('button', { name: 'Publish theme now' }).click();
  await hour.dialog().waitFor({ state: 'detached' });
  // The first theme of an account is its default.
  await hour.page.getByText('Default', { exact: true }).waitFor();
  await hour.page.goto(tour);
}

export async function tryTour(hour: Hour): Promise<void> {
  await hour.press('Try on site');
  const tab = await hour.openOwnPage();
  const bar = tab.getByRole('region', { name: 'Usher picker' });
  await bar.getByRole('button', { name: 'Begin' }).click();
  await tourOn(tab).waitFor();
  await takePicture(tab, 'hour-04-try');
  await bar.getByRole('button', { name: 'End', exact: true }).click();
  await bar.waitFor({ state: 'detached' });
  await tab.close();
  await hour.page.keyboard.press('Escape');
}

export async function makeEnvironments(hour: Hour): Promise<void> {
  const tour = hour.page.url();
  await hour.open('/app/domains?tab=environments');
  await hour.press('New Environment');
  await hour.dialog().getByLabel('Name', { exact: true }).fill('Staging');
  await hour.dialog().getByLabel('Short name').fill('STG');
  await hour.dialog().getByTitle('Blue').click();
  await takePicture(hour.page, 'hour-05-environment');
  await hour.dialog().getByRole('button', { name: 'Create Environment' }).click();
  await hour.toast('Created Staging');
  await hour.page.getByRole('tab', { name: 'Domains' }).click();
  await hour.press(`Actions for ${STAGING}`);
  await hour.page.getByRole('menuitem', { name: 'Move to another Environment' }).click();
  await hour
    .dialog()
    .getByRole('button', { name: /Move to$/ })
    .click();
  await hour.page.getByRole('option', { name: 'Staging' }).click();
  await takePicture(hour.page, 'hour-05-move');
  await hour
    .dialog()
    .getByRole('button', { name: /^Move domain to Staging/ })
    .click();
  await hour.dialog().waitFor({ state: 'detached' });
  await takePicture(hour.page, 'hour-05-domains');
  await hour.page.goto(tour);
}

export async function publishTo(hour: Hour, environment: string): Promise<void> {
  await hour.page.getByRole('region', { name: 'Environments' }).getByText(environment, { exact: true }).click();
  await hour.isSaved();
  await hour.press('Publish…');
  await takePicture(hour.page, `hour-05-publish-${environment}`);
  await hour
    .dialog()
    .getByRole('button', { name: /^Publish to/ })
    .click();
  await hour.dialog().waitFor({ state: 'detached' });
  await hour.page.getByText('Live', { exact: true }).waitFor();
}

export async function makeSurvey(hour: Hour): Promise<void> {
  await hour.open('/app/experiences');
  await hour.page.getByRole('button', { name: 'New Experience' }).first().click();
  await hour.page.getByRole('option', { name: 'NPS survey' }).click();
  await hour.press('Create Experience');
  await hour.page.getByRole('region', { name: 'Settings' }).getByText('When it shows', { exact: true }).click();
  await hour.press(/Waits until$/);
  await hour.page.getByRole('option', { name: 'An event happens' }).click();
  await hour.page.getByRole('combobox', { name: 'Event', exact: true }).fill('Invoice sent');
  await hour.page.keyboard.press('Escape');
  await hour.isSaved();
  await takePicture(hour.page, 'hour-07-event');
  await hour.press('Publish…');
  await takePicture(hour.page, 'hour-07-publish');
  await hour
    .dialog()
    .getByRole('button', { name: /^Publish to/ })
    .click();
  await hour.page.getByText('Live', { exact: true }).waitFor();
}

/** Finds the answer of a user in the tab of the survey, which is the page that is open. */
export async function seeResponse(hour: Hour): Promise<void> {
  await hour.page.getByRole('link', { name: 'Responses', exact: true }).click();
  await hour.page.getByText('Sending an invoice is easy').waitFor();
  await takePicture(hour.page, 'hour-07-response');
}
