import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Installed } from './installed.ts';
import type { Product } from './product.ts';

export const STAGING = 'staging.harvest.test';
/** A host that the doctor of Usher reaches, too. */
export const PRODUCTION = 'localhost';

/** What the stations share: the installed package, the product, and the browser of the person who sets up Usher. */
export class Hour {
  readonly browser: Browser;
  readonly own: BrowserContext;
  /** The tab with the dashboard. */
  readonly page: Page;
  readonly usher: Installed;
  readonly product: Product;
  /** The secret that the first start has printed. */
  secret = '';

  constructor(parts: Pick<Hour, 'browser' | 'own' | 'page' | 'usher' | 'product'>) {
    this.browser = parts.browser;
    this.own = parts.own;
    this.page = parts.page;
    this.usher = parts.usher;
    this.product = parts.product;
  }

  dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  press(name: string | RegExp): Promise<void> {
    return this.page.getByRole('button', { name }).click();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.usher.url + path);
  }

  toast(title: string): Promise<void> {
    return this.page.getByRole('alertdialog').filter({ hasText: title }).waitFor();
  }

  field(name: string): Locator {
    return this.page.getByRole('region', { name: 'Settings' }).getByLabel(name, { exact: true }).first();
  }

  isSaved(): Promise<void> {
    return this.page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor();
  }

  /** The address of an own page. */
  at(host: string, path = '/invoices'): string {
    return `http://${host}:${this.product.port}${path}`;
  }

  /** Types the address of an own page into the dialog, and opens it in another tab. */
  async openOwnPage(): Promise<Page> {
    await this.dialog().getByRole('combobox', { name: 'Page' }).fill(this.at(STAGING));
    // The list of pages that were visited is open, which hides the button from screen readers but not from the mouse.
    const open = this.dialog().getByRole('button', { name: 'Open page', includeHidden: true });
    const [tab] = await Promise.all([this.own.waitForEvent('page'), open.click()]);
    return tab;
  }

  /** Copies the snippet from the page "Install" and puts it into the own pages. */
  async copySnippet(): Promise<void> {
    const block = this.page.locator('figure', { hasText: 'In the head of every page' });
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByText('Copied').waitFor();
    this.product.head = await this.page.evaluate(() => navigator.clipboard.readText());
  }

  newUser(uid: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    return newUser(this.browser, uid, options);
  }
}

/** The browser of a user who has signed in to the product. */
export async function newUser(
  browser: Browser,
  uid: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await context.addCookies([STAGING, PRODUCTION].map((domain) => ({ name: 'user', value: uid, domain, path: '/' })));
  return context;
}

export const tourOn = (tab: Page) => tab.getByRole('dialog', { name: 'Write an invoice' });
