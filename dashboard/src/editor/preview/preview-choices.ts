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

const initial: PreviewChoices = { mode: 'edit', scheme: 'light', width: 'desktop', language: null, profileId: null };

/** Each account has languages and users of its own. */
export function usePreviewChoices(accountId: string): [PreviewChoices, (change: Partial<PreviewChoices>) => void] {
  const [stored, store] = useStoredValue(`usher-preview-${accountId}`);
  const choices = readChoices(stored);
  return [choices, (change) => store(JSON.stringify({ ...choices, ...change }))];
}

/** The storage belongs to the browser, so it can have anything in it. */
function readChoices(stored: string | null): PreviewChoices {
  const saved = parse(stored);
  const isText = (value: unknown) => typeof value === 'string';
  return {
    mode: saved.mode === 'try' ? 'try' : initial.mode,
    scheme: saved.scheme === 'dark' ? 'dark' : initial.scheme,
    width: saved.width === 'phone' ? 'phone' : initial.width,
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
