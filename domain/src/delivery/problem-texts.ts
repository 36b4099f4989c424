import type { Finding } from './interaction-finding.ts';

/** What a problem means, for people who look after Experiences: in the dashboard, and in `usher check`. */
export const problemTexts: Record<Exclude<Finding, 'found'>, string> = {
  not_found: 'The element is not on the page.',
  text_differs: 'The element has another text.',
  hidden: 'The element is hidden.',
  covered: 'Something covers the element.',
  ambiguous: 'Several elements match.',
  no_shadow_root: 'The element has no shadow root to look into.',
  bad_selector: 'The selector is not valid.',
  error: 'It could not be painted, because of an error on the page.',
};
