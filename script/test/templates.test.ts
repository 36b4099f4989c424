import { listTemplates, type Template } from '@usher/domain';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { uid, until, useHarness } from './browser.ts';
import { violations } from './kinds-page.ts';

const harness = useHarness();
beforeAll(async () => {
  const { status } = await harness.api.post('/v3/edit/languages', { code: 'ar' });
  expect(status).toBe(201);
});

/** A page that has nothing but a heading and some text. */
const body = '<main><h1>Reports</h1><p>Nothing special.</p></main>';

async function open(locale: string): Promise<Page> {
  const context = await harness.browser.newContext({ locale, reducedMotion: 'reduce' });
  context.setDefaultTimeout(5000);
  onTestFinished(() => context.close());
  return harness.open({ body }, { uid, context });
}

/** Does what users do to see the Experience: opens a launcher, or moves the pointer to the element of a tooltip. */
async function reach(page: Page, { kind, document }: Template, opener = document.trigger_text): Promise<void> {
  if (kind === 'launcher') await page.getByRole('button', { name: opener ?? '' }).click();
  if (kind === 'tooltip') await page.hover('h1');
  if (document.kind !== kind) throw new Error('The document is of another kind');
}

/** The users of these tests have no name, so they see the fallback of a merge tag. */
const fillFallbacks = (text: string) => text.replaceAll(/\{\{.*?fallback: "(.*?)"\}\}/g, '$1');
const firstTitle = ({ document }: Template): string =>
  fillFallbacks((document.kind === 'launcher' ? document.title : document.steps[0]?.title) ?? '');
const inArabic = (template: Template, text: string): string => {
  const { id } =
    template.document.kind === 'launcher' ? { id: template.modelId } : (template.document.steps[0] ?? { id: '' });
  const translated = template.translations.ar?.[id]?.title;
  if (translated === undefined) throw new Error(`"${text}" has no translation`);
  return fillFallbacks(translated);
};

describe.each(listTemplates())('the template $id', (template) => {
  /** Replaces the placeholders first, as an author does. */
  const publish = async () => {
    const { kind, name, id: template_id } = template;
    const { id } = await harness.create(kind, { name, template_id, published_at: null });
    const path = `/v3/edit/${kind}s/${id}`;
    const { steps, items } = (await harness.api.get(path)).body[kind];
    const content = JSON.stringify(kind === 'launcher' ? { items } : { steps });
    const replaced = JSON.parse(content.replaceAll('https://your-product.example', ''));
    const { status, body } = await harness.api.patch(path, { ...replaced, published_at: '$now' });
    expect([status, body.messages]).toEqual([200, undefined]);
  };

  it('is published and painted on a plain page', async () => {
    await publish();
    const page = await open('en-US');
    await reach(page, template);
    const box = page.locator('.box').filter({ hasText: firstTitle(template) });
    await box.waitFor();
    expect(await box.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
    const shown = await box.boundingBox();
    expect(shown?.x).toBeGreaterThanOrEqual(0);
    expect(shown?.y).toBeGreaterThanOrEqual(0);
    const heading = await page.locator('h1').boundingBox();
    if (template.kind === 'embed') expect(shown?.y).toBeLessThan(heading?.y ?? 0);
    expect(await violations(page)).toEqual([]);
  });

  it('is painted in Arabic from right to left', async () => {
    await publish();
    const page = await open('ar-EG');
    await reach(page, template, template.translations.ar?.[template.modelId]?.trigger_text);
    const box = page.locator('.box').filter({ hasText: inArabic(template, firstTitle(template)) });
    await box.waitFor();
    expect(await box.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    await until(async () => /[a-z]{3}/i.exec((await box.innerText()).replace(/UTC/g, ''))?.[0]).toBe(undefined);
    expect(await violations(page)).toEqual([]);
  });
});
