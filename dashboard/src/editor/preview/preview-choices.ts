import { useState } from 'react';
import { useScheme } from '../../ui/theme.ts';
import { useStoredValue } from '../../ui/use-stored-value.ts';
import type { PreviewScheme, PreviewWidth } from './preview-frame.tsx';

/** The choices of the person for the preview. They are stored in this browser. */
export interface PreviewChoices {
  mode: 'edit' | 'try';
  scheme: PreviewScheme;
  width: PreviewWidth;
  language: string | null;
  profileId: string | null;
}

/** On a phone, the preview begins with the width of a phone: the texts of a desktop would be too small there. */
const firstWidth = (): PreviewWidth => (matchMedia('(width < 40rem)').matches ? 'phone' : 'desktop');

/** The choices are stored for each account, because languages and users belong to one account. */
export function usePreviewChoices(accountId: string): [PreviewChoices, (change: Partial<PreviewChoices>) => void] {
  const [stored, store] = useStoredValue(`usher-preview-${accountId}`);
  const [width] = useState(firstWidth);
  const scheme = useScheme();
  const saved = parse(stored);
  // Only choices that the person has made are stored. The others follow the window and the theme of the dashboard.
  return [readChoices(saved, width, scheme), (change) => store(JSON.stringify({ ...saved, ...change }))];
}

/** People and extensions can change the storage of a browser, so it may contain anything. */
function readChoices(saved: Record<string, unknown>, width: PreviewWidth, scheme: PreviewScheme): PreviewChoices {
  const isText = (value: unknown) => typeof value === 'string';
  return {
    mode: saved.mode === 'try' ? 'try' : 'edit',
    scheme: saved.scheme === 'dark' || saved.scheme === 'light' ? saved.scheme : scheme,
    width: saved.width === 'phone' || saved.width === 'desktop' ? saved.width : width,
    language: isText(saved.language) ? saved.language : null,
    profileId: isText(saved.profileId) ? saved.profileId : null,
  };
}

function parse(stored: string | null): Record<string, unknown> {
  try {
    return JSON.parse(stored ?? '{}') ?? {};
  } catch {
    return {};
  }
}
