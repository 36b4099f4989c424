import type { RichText } from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageExperience } from '../src/wire.ts';
import { readTree } from './accessibility-tree.ts';
import { afterFrames } from './frames.ts';
import { gallery } from './kinds-gallery.ts';
import { load, openPage, show, showAlone } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

let page: Page;
beforeAll(async () => {
  page = await openPage();
});
afterAll(closeContexts);

/**
 * The accessibility tree of each Experience: the element that opens it, then its box. A description is in parentheses.
 */
const trees: Record<string, string> = {
  'a modal': `
    dialog "Welcome to Orbit" [modal true] (Turn your numbers into a report that your team reads. Pick your data Choose a template npm start It is easy.)
      heading "Welcome to Orbit" [level 2]
      paragraph
        Turn your numbers into a
        strong
          report
        that
        link "your team"
        reads.
      list
        listitem [level 1]
          Pick your data
        listitem [level 1]
          Choose a template
      code
        npm start
      blockquote
        paragraph
          It is easy.
      image "Step 1 of 2"
      button "Not now"
      button "Show me"
      button "Close"`,
  'a step at an element': `
    dialog "Create your first report" (It starts here.)
      heading "Create your first report" [level 2]
      paragraph
        It starts here.
      image "Step 1 of 2"
      button "Remind me later"
      button "Next"
      button "Close"`,
  'a slideout': `
    dialog "Shared dashboards" (Now for teams.)
      heading "Shared dashboards" [level 2]
      paragraph
        Now for teams.
      button "Done"
      button "Close"`,
  'a banner': `
    dialog "Your trial ends in 3 days."
      paragraph
        Your trial ends in 3 days.
      button "Later"
      button "Done"
      button "Close"`,
  'a question of two': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      group "How easy was it to create a report?"
        button "Very hard"
        button "Hard"
      button "Close"`,
  'a question of three': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      group "How easy was it to create a report?"
        button "Very hard"
        button "Hard"
        button "Neither"
      button "Close"`,
  'a question of four': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      group "How easy was it to create a report?"
        button "Very hard"
        button "Hard"
        button "Neither"
        button "Easy"
      button "Close"`,
  'a question of five': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      group "How easy was it to create a report?"
        button "Very hard"
        button "Hard"
        button "Neither"
        button "Easy"
        button "Very easy"
      button "Remind me later"
      button "Close"`,
  'an NPS': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      radiogroup "How easy was it to create a report?"
        radio "0 – Not likely"
          0
        radio "1"
        radio "2"
        radio "3"
        radio "4"
        radio "5"
        radio "6"
        radio "7"
        radio "8"
        radio "9"
        radio "10 – Very likely"
          10
      button "Close"`,
  'a CSAT': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      radiogroup "How easy was it to create a report?"
        radio "1 – Unhappy"
        radio "2 – Unhappy"
        radio "3 – Neutral"
        radio "4 – Happy"
        radio "5 – Happy"
      button "Not now"
      button "Close"`,
  'a CES': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      radiogroup "How easy was it to create a report?"
        radio "1"
        radio "2"
        radio "3"
        radio "4"
        radio "5"
        radio "6"
        radio "7"
      button "Close"`,
  'a question for words': `
    dialog "How easy was it to create a report?" [modal true]
      heading "How easy was it to create a report?" [level 2]
      form
        textbox "How easy was it to create a report?" [multiline true]
        button "Send"
      button "Close"`,
  'a question with a list': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      form
        combobox "How easy was it to create a report?" = Choose… [hasPopup menu] [collapsed]
          option "Choose…" [selected true]
          option "Search"
          option "A friend"
          option "Other"
        button "Send"
      button "Close"`,
  'a follow-up': `
    dialog "How easy was it to create a report?"
      heading "How easy was it to create a report?" [level 2]
      form
        textbox "How easy was it to create a report?" [multiline true]
        button "Skip"
        button "Send"
      button "Close"`,
  'a thank-you': `
    dialog "Thank you" (We read every answer.)
      heading "Thank you" [level 2]
      paragraph
        We read every answer.
      button "Close"`,
  'a launcher': `
    button "Help" [expanded true]
    dialog "Help" (Find your way.)
      heading "Help" [level 2]
      paragraph
        Find your way.
      list
        listitem [level 1]
          button "Connect your data"
        listitem [level 1]
          button "Create a report"
          paragraph
            Start with a template
        listitem [level 1]
          link "Read the guide"
      button "Close"`,
  'a checklist': `
    button "Get started 1" [expanded true]
      Get started
      1
    dialog "Get started"
      heading "Get started" [level 2]
      progressbar "Get started" = 1 [valuemin 0] [valuemax 2]
      1 / 2
      list
        listitem [level 1]
          button "Connect your data (Completed)"
            Connect your data
        listitem [level 1]
          button "Create a report"
          paragraph
            Start with a template
        listitem [level 1]
          link "Read the guide"
      button "Close"`,
  'an empty launcher': `
    button "News" [expanded true]
    dialog "News"
      heading "News" [level 2]
      paragraph
        Nothing new.
      button "Close"`,
  'a tooltip': `
    tooltip "Churn" (Who left.)
      heading "Churn" [level 2]
      paragraph
        Who left.`,
  'a tooltip at an icon': `
    button "More: Who left." [expanded true]
    dialog "Who left."
      paragraph
        Who left.
      button "Show me"`,
  'an embedded banner': `
    region "Twice as fast" (Nothing to do.)
      heading "Twice as fast" [level 2]
      paragraph
        Nothing to do.
      button "Read more"
      button "Close"`,
  'an embedded card': `
    region "Invite your team" (Five for free.)
      heading "Invite your team" [level 2]
      paragraph
        Five for free.
      button "Not now"`,
};

describe('the accessibility tree', () => {
  it.each(Object.keys(trees))('has the roles, names, descriptions and states of %s', async (name) => {
    await showAlone(page, name);
    expect(await describeAll()).toBe(withoutIndent(trees[name] ?? ''));
  });

  it('has every Experience of the gallery', () => {
    // These Experiences differ from others only in the length of their texts.
    const long = ['a long modal', 'a step of many words'];
    expect(Object.keys(trees).sort()).toEqual(
      Object.keys(gallery)
        .filter((name) => !long.includes(name))
        .sort(),
    );
  });
});

describe('the live region', () => {
  const region = '[aria-live=polite]';
  const slideout = gallery['a slideout'] as PageExperience;
  const text = () => page.locator(region).textContent();

  it('is in the page before its text, so that a screen reader notices the change', async () => {
    await load(page);
    const before = await page.evaluate((json) => {
      window.kinds.show(JSON.parse(json));
      return document.querySelector('usher-layer')?.shadowRoot?.querySelector('[aria-live]')?.textContent;
    }, JSON.stringify(slideout));
    expect(before).toBe('');
    await expect.poll(text).toBe('Shared dashboards\nNow for teams.');
  });

  it('separates paragraphs', async () => {
    await load(page);
    const body: RichText = [
      ['p', 'One.'],
      ['ul', ['li', 'Two'], ['li', 'Three']],
      ['p', 'Four ', ['em', 'five']],
    ];
    await show(page, { ...slideout, steps: [{ id: 's1', body, screen_position: 'top_left' }] });
    await expect.poll(text).toBe('\nOne.\nTwo\nThree\nFour five');
  });

  it('is empty after the step, and is not filled after its end', async () => {
    await load(page);
    await show(page, gallery['a launcher'] as PageExperience);
    await show(page, slideout);
    await expect.poll(text).not.toBe('');
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await text()).toBe('');
    await show(page, slideout);
    await page.getByRole('button', { name: 'Done' }).click();
    await afterFrames(page, 15);
    expect(await text()).toBe('');
  });

  it('can be read inside of a modal dialog of the page', async () => {
    await load(page, { body: '<dialog><button id="inside">Inside</button></dialog>' });
    await page.evaluate(() => document.querySelector('dialog')?.showModal());
    const hint = { id: 's1', title: ['Hint'], elements: [{ selector: '#inside' }] };
    await show(page, { id: 'e', kind: 'tooltip', steps: [{ ...hint, position_type: 'snap_to_element' }] });
    await page.hover('#inside');
    await expect.poll(text).toBe('Hint\n');
    expect(await readTree(page, page.locator(region))).toBe('Hint');
  });
});

async function describeAll(): Promise<string> {
  const parts: string[] = [];
  for (const locator of await page.locator('.open, .hint, .box').all()) parts.push(await readTree(page, locator));
  return parts.join('\n');
}

function withoutIndent(text: string): string {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.slice(4))
    .join('\n');
}
