import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { tabTo } from '../by-hand.ts';
import { blockAsUsersDo } from './content-blocker.ts';
import { type Hour, PRODUCTION, STAGING, tourOn } from './hour.ts';

/* What users of the product see and do. */

const steps = [
  ['Write an invoice', 'Show me around'],
  ['Start here', 'Next'],
  ['Invite your team', 'Next'],
  ['You are ready', 'Get started'],
] as const;

/** Pages of users may have an open stream, so their network is never idle. */
async function takePicture(tab: Page, name: string): Promise<void> {
  if (process.env.USHER_TEST_PICTURES !== '1') return;
  const path = fileURLToPath(new URL(`../../dist/pictures/${name}.png`, import.meta.url));
  await tab.screenshot({ path, animations: 'disabled' });
}

type Press = (button: Locator) => Promise<void>;

/** Sees the tour on the page of staging, and nothing in production. */
export async function expectStagingOnly(hour: Hour, tab: Page): Promise<void> {
  await tab.goto(hour.at(STAGING));
  await tourOn(tab).waitFor();
  const answered = tab.waitForResponse((response) => response.url().includes('/v3/observe/visits'));
  await tab.goto(hour.at(PRODUCTION));
  expect(await (await answered).json()).toMatchObject({ experiences: [] });
  expect(await tourOn(tab).count()).toBe(0);
}

async function finishTour(tab: Page, press: Press): Promise<void> {
  for (const [title, button] of steps) {
    const step = tab.getByRole('dialog', { name: title });
    await step.waitFor();
    await press(step.getByRole('button', { name: button, exact: true }));
  }
  await tab.getByRole('dialog').waitFor({ state: 'detached' });
}

export async function seeWithBlocker(hour: Hour, context: BrowserContext): Promise<void> {
  const blocked = await blockAsUsersDo(context);
  const tab = await context.newPage();
  await tab.goto(hour.at(PRODUCTION));
  await tourOn(tab).waitFor();
  await takePicture(tab, 'hour-06-blocker');
  await finishTour(tab, (button) => button.click());
  // The blocker is active: it stops what the page loads from another host, and paths with well-known words.
  const others = [`${hour.usher.url}/healthz`, hour.at(PRODUCTION, '/tracking/beacon.gif')];
  for (const url of others)
    expect(await tab.evaluate((url) => fetch(url).catch((error) => error.name), url)).toBe('TypeError');
  expect(blocked).toEqual(others);
}

export async function seeByKeyboard(hour: Hour, tab: Page): Promise<void> {
  await tab.goto(hour.at(PRODUCTION));
  await finishTour(tab, async (button) => {
    await tabTo(tab, button);
    await tab.keyboard.press('Enter');
  });
}

export async function seeOnPhone(hour: Hour, tab: Page): Promise<void> {
  await tab.goto(hour.at(PRODUCTION));
  await tourOn(tab).waitFor();
  await takePicture(tab, 'hour-06-phone');
  await finishTour(tab, (button) => button.tap());
}

/** Opens the page of production, and closes the tour. */
async function visitWithoutTour(hour: Hour, tab: Page): Promise<void> {
  await tab.goto(hour.at(PRODUCTION));
  await tourOn(tab).waitFor();
  await tab.keyboard.press('Escape');
  await tourOn(tab).waitFor({ state: 'detached' });
}

export async function answerSurvey(hour: Hour, tab: Page, score: string): Promise<void> {
  await visitWithoutTour(hour, tab);
  await tab.getByRole('button', { name: 'Send invoice' }).click();
  const choice = tab.getByRole('radio', { name: score, exact: true });
  await choice.waitFor();
  await takePicture(tab, `hour-07-survey-${score}`);
  await choice.click();
  await tab.getByRole('dialog').getByRole('textbox').fill('Sending an invoice is easy');
  await tab.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await tab
    .getByText(/^Thank you/)
    .first()
    .waitFor();
  await takePicture(tab, 'hour-07-thanks');
}

export async function seeChecklist(hour: Hour, tab: Page): Promise<void> {
  await visitWithoutTour(hour, tab);
  await tab.getByRole('button', { name: /First steps/ }).click();
  await tab.getByText('Add a customer').waitFor();
  await takePicture(tab, 'hour-08-checklist');
}
