/**
 * What crawlers name themselves in their `User-Agent`, as their operators document it. Only programs that read pages for everyone are in
 * the list: tests and screenshots use a browser without a window, and are users.
 */
const crawlers =
  /\b(Googlebot|Storebot-Google|Google-InspectionTool|GoogleOther|AdsBot-Google|Mediapartners-Google|bingbot|BingPreview|adidxbot|Applebot|DuckDuckBot|YandexBot|Baiduspider|PetalBot|SeznamBot|Sogou web spider|facebookexternalhit|Twitterbot|LinkedInBot|Slackbot|Discordbot|TelegramBot|WhatsApp|GPTBot|OAI-SearchBot|ClaudeBot|PerplexityBot|CCBot|Amazonbot|Bytespider|ia_archiver)\b/i;

/** Whether a page was loaded by a crawler, who is no user. */
export function isCrawler(userAgent: string | undefined): boolean {
  return crawlers.test(userAgent ?? '');
}
