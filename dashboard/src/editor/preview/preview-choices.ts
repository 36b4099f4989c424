import { useState } from 'react';
import { useStoredValue } from '../../ui/use-stored-value.ts';
import type { PreviewScheme, PreviewWidth } from './preview-frame.tsx';

/** How the person who edits looks at the preview. This browser remembers it. */
export interface PreviewChoices {
  mode: 'edit' | 'try';
  scheme: PreviewScheme;
  width: PreviewWidth;
  language: string | null;
  profileId: string | null;
}

/** A phone is too small for a desktop: its texts could not be read. */
const firstWidth = (): PreviewWidth => (matchMedia('(width < 40rem)').matches ? 'phone' : 'desktop');

/** Each account has languages and users of its own. */
export function usePreviewChoices(accountId: string): [PreviewChoices, (change: Partial<PreviewChoices>) => void] {
  const [stored, store] = useStoredValue(`usher-preview-${accountId}`);
  const [width] = useState(firstWidth);
  const choices = readChoices(stored, width);
  return [choices, (change) => store(JSON.stringify({ ...choices, ...change }))];
}

/** The storage belongs to the browser, so it can have anything in it. */
function readChoices(stored: string | null, width: PreviewWidth): PreviewChoices {
  const saved = parse(stored);
  const isText = (value: unknown) => typeof value === 'string';
  return {
    mode: saved.mode === 'try' ? 'try' : 'edit',
    scheme: saved.scheme === 'dark' ? 'dark' : 'light',
    width: saved.width === 'phone' || saved.width === 'desktop' ? saved.width : width,
    language: isText(saved.language) ? (saved.language as string) : null,
    profileId: isText(saved.profileId) ? (saved.profileId as string) : null,
  };
}

function parse(stored: string | null): Record<string, unknown> {
  try {
    return JSON.parse(stored ?? '{}') ?? {};
  } catch {
    return {};
  }
}
