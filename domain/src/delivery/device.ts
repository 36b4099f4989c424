/** What a page was open on. Empty: the browser did not say. */
export type Device = 'desktop' | 'mobile' | 'tablet' | '';

/** Tablets with Android leave out "Mobile". An iPad says that it is a Mac unless its user has chosen mobile pages. */
export function deviceOf(userAgent: string | undefined): Device {
  if (!userAgent) return '';
  if (/iPad|Tablet|PlayBook|Silk|Kindle|Android(?!.*Mobile)/i.test(userAgent)) return 'tablet';
  return /Mobi|iPhone|iPod|Phone/i.test(userAgent) ? 'mobile' : 'desktop';
}
