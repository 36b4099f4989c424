import { type ExperienceKind, kinds } from '../kinds/kinds.ts';
import type { QuantifierUrl } from '../patterns/url-match.ts';
import type { Document } from './experience.ts';

/* The URL patterns that decide on which pages an Experience starts: its own patterns, or the patterns of its first step. */

export function startUrls({ kind, steps, quantifier_urls = [] }: Document): readonly QuantifierUrl[] {
  return kinds[kind].parts === 'items' ? quantifier_urls : (steps[0]?.quantifier_urls ?? []);
}

/** The path of the field that has the patterns. */
export function pathOfStartUrls(kind: ExperienceKind): string {
  return kinds[kind].parts === 'items' ? 'quantifier_urls' : 'steps.0.quantifier_urls';
}
