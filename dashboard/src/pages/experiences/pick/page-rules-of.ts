import type { QuantifierUrl } from '@usher/domain';
import type { Document } from '../../../editor/document.ts';

/** The URL rules that suggest a page to open: of the step, of the first step, and of the Experience. */
export const pageRulesOf = (document: Document, urls: readonly QuantifierUrl[]): QuantifierUrl[] => [
  ...urls,
  ...(document.steps[0]?.quantifier_urls ?? []),
  ...(document.quantifier_urls ?? []),
];
