import type { Environment } from '../../app/environment.ts';
import * as text from '../../messages/text.ts';
import { findSimilarColor } from './similar-color.ts';

/** A color that no Environment has yet, or an empty text if all are taken. */
export function firstFreeColor(others: readonly Environment[]): string {
  return Object.keys(text.environments.colors).find((color) => !findSimilarColor(color, others)) ?? '';
}
