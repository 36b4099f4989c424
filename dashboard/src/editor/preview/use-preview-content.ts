import type { Translations } from '@usher/domain';
import { useEffect, useMemo, useState } from 'react';
import type { createPreviewContent, PreviewContent, PreviewProfile } from './preview-content.ts';

type Create = typeof createPreviewContent;

let loaded: Create | undefined;

/** What the content of a preview depends on, besides the Experience. */
export interface PreviewContentProps {
  /** The ID of the Experience. */
  id: string;
  /** The texts in other languages. The default is none. */
  translations?: Translations | undefined;
  /** The default is the source language. */
  language?: string | null | undefined;
  profile?: PreviewProfile | null | undefined;
  /** Whether the account allows code of authors. */
  allowScripts?: boolean | undefined;
}

const noTranslations: Translations = {};

/** Loads the code that builds the content of pages. Undefined until then. */
export function usePreviewContent(props: PreviewContentProps): PreviewContent | undefined {
  const { id, translations = noTranslations, language = null, profile = null, allowScripts = true } = props;
  const [create, setCreate] = useState<Create | undefined>(() => loaded);
  useEffect(() => {
    // Another preview may have loaded it since this one was rendered.
    if (loaded) return setCreate(() => loaded);
    let isGone = false;
    import('./preview-content.ts').then(
      (module) => {
        loaded = module.createPreviewContent;
        if (!isGone) setCreate(() => loaded);
      },
      // The file belonged to an older version of the server and is gone. Other requests of the page report this.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return useMemo(
    () => create?.({ id, translations, language, profile, allowScripts }),
    [create, id, translations, language, profile, allowScripts],
  );
}
