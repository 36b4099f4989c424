import type { Page } from 'playwright-core';

export interface ShowExperienceOptions {
  /** How long the Experience may take to show, in milliseconds. The default is 5000. */
  timeout?: number;
  /** The address of your Usher; otherwise USHER_URL. */
  server?: string;
  /** An account secret, for names and for reasons that only the server knows; otherwise ACCOUNT_SECRET. */
  secret?: string;
}

/** Add them with `expect.extend(matchers)` of `@playwright/test`. */
export declare const matchers: {
  /** Passes when the page shows the live Experience with this name or ID. Otherwise the message says why it does not. */
  toShowExperience(
    this: { isNot?: boolean },
    page: Page,
    experience: string,
    options?: ShowExperienceOptions,
  ): Promise<{ name: string; pass: boolean; message: () => string }>;
};
